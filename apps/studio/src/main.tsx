import { render } from "preact";
import { App } from "./app.tsx";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/controls.css";
import "./styles/panels.css";
import "./styles/curves.css";
import "./styles/episodes.css";
import "./styles/recipes.css";
import "./styles/cards.css";
import "./styles/texts.css";
import "./styles/compare.css";
import "./styles/tunings.css";
import { followTheme } from "./theme.ts";

followTheme();
render(<App />, document.getElementById("app")!);
