import { useTranslation } from "react-i18next";
import type { SignIn } from "../../api/profile.ts";

/** The name of a session's device: "Firefox on Linux". */
export function useDeviceName() {
  const { t } = useTranslation("settings/profile");
  return ({ userAgent }: Pick<SignIn, "userAgent">): string => {
    const { browser, system } = deviceOf(userAgent);
    if (browser && system) return t("signIns.device", { browser, system });
    return browser ?? system ?? t("signIns.unknownDevice");
  };
}

/** In this order: most browsers also name those that they descend from. */
const browsers = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\/|\bOpera\b/],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/.*\bSafari\//],
  ["curl", /^curl\//],
] as const;

const systems = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** What a User-Agent header says of browser and system; null where it says nothing that is known. */
export function deviceOf(userAgent: string): { browser: string | null; system: string | null } {
  const named = (names: readonly (readonly [string, RegExp])[]) =>
    names.find(([, mark]) => mark.test(userAgent))?.[0] ?? null;
  return { browser: named(browsers), system: named(systems) };
}
