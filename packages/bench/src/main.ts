#!/usr/bin/env node
import { againstHelp, againstSuite } from "./against/suite.ts";
import { bridgeHelp, bridgeSuite } from "./bridge/suite.ts";
import { browserHelp, browserSuite } from "./browser.ts";
import { conversationsHelp, conversationsSuite } from "./conversations/suite.ts";
import { gymnasiumHelp, gymnasiumSuite } from "./gymnasium/suite.ts";
import { contextHelp, contextSuite } from "./language/context.ts";
import { loraHelp, loraSuite } from "./language/lora.ts";
import { languageHelp, readLanguageOptions } from "./language/options.ts";
import { languageSuite } from "./language/suite.ts";
import { help, readOptions } from "./options.ts";
import { pagesHelp, writePages } from "./pages.ts";
import { preferencesHelp, preferencesSuite } from "./preferences/suite.ts";
import { readRlOptions, rlHelp } from "./rl/options.ts";
import { rlSuite } from "./rl/suite.ts";
import { servingHelp, servingSuite } from "./serving/suite.ts";
import { signalsHelp, signalsSuite } from "./signals/suite.ts";
import { studioHelp, studioSuite } from "./studio/suite.ts";
import { tensorSuite } from "./tensor.ts";
import { verdictsHelp, verdictsSuite } from "./verdicts/suite.ts";
import { wordsHelp, wordsSuite } from "./words/suite.ts";

const [suite, ...rest] = process.argv.slice(2);

try {
  if (suite === undefined || suite === "--help")
    process.stdout.write(
      `${[help, rlHelp, languageHelp, contextHelp, conversationsHelp, loraHelp, againstHelp, wordsHelp, preferencesHelp, signalsHelp, verdictsHelp, gymnasiumHelp, bridgeHelp, browserHelp, studioHelp, servingHelp, pagesHelp].join("\n\n")}\n`,
    );
  else if (rest.includes("--help"))
    process.stdout.write(
      `${{ rl: rlHelp, language: languageHelp, context: contextHelp, conversations: conversationsHelp, lora: loraHelp, words: wordsHelp, preferences: preferencesHelp, signals: signalsHelp, verdicts: verdictsHelp, gymnasium: gymnasiumHelp, bridge: bridgeHelp, browser: browserHelp, studio: studioHelp, serving: servingHelp, against: againstHelp, pages: pagesHelp }[suite] ?? help}\n`,
    );
  else if (suite === "pages") writePages();
  else if (suite === "against") await againstSuite(rest);
  else if (suite === "signals") signalsSuite(rest);
  else if (suite === "verdicts") await verdictsSuite(rest);
  else if (suite === "gymnasium") gymnasiumSuite(rest);
  else if (suite === "bridge") await bridgeSuite(rest);
  else if (suite === "browser") await browserSuite(rest);
  else if (suite === "studio") await studioSuite(rest);
  else if (suite === "serving") await servingSuite(rest);
  else if (suite === "rl") await rlSuite(readRlOptions(rest));
  else if (suite === "language") await languageSuite(readLanguageOptions(rest));
  else if (suite === "context") contextSuite(rest);
  else if (suite === "conversations") await conversationsSuite(rest);
  else if (suite === "lora") await loraSuite(rest);
  else if (suite === "words") await wordsSuite(rest);
  else if (suite === "preferences") await preferencesSuite(rest);
  else if (suite === "tensor") await tensorSuite(readOptions(rest));
  else
    throw new Error(
      `Unknown suite ${suite}. Use tensor, rl, language, context, conversations, lora, words, preferences, signals, verdicts, gymnasium, bridge, browser, studio, serving, against, pages.`,
    );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
