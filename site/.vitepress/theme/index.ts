import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineAsyncComponent, hydrateOnVisible } from "vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  // Loaded only by the pages that use them.
  enhanceApp({ app }) {
    app.component(
      "TrainInPage",
      defineAsyncComponent({ loader: () => import("./TrainInPage.vue"), hydrate: hydrateOnVisible() }),
    );
    app.component(
      "Playground",
      defineAsyncComponent(() => import("./Playground.vue")),
    );
  },
} satisfies Theme;
