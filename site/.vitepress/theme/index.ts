import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import Playground from "./Playground.vue";
import TrainInPage from "./TrainInPage.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("TrainInPage", TrainInPage);
    app.component("Playground", Playground);
  },
} satisfies Theme;
