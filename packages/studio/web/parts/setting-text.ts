export { settingText } from "../../src/setting-text.ts";
