import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineAsyncComponent } from "vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  // Loaded only by the pages that use them.
  enhanceApp({ app }) {
    app.component(
      "TrainInPage",
      defineAsyncComponent(() => import("./TrainInPage.vue")),
    );
    app.component(
      "Playground",
      defineAsyncComponent(() => import("./Playground.vue")),
    );
  },
} satisfies Theme;
