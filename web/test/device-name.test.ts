import { expect, test } from "vitest";
import { deviceOf } from "../src/settings/profile/use-device-name.ts";

const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const blink = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox", "Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/131.0.0.0 Safari/537.36`, "Chrome", "Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${blink} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`, "Edge", "Windows"],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.1 Safari/605.1.15`,
    "Safari",
    "macOS",
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webkit} Version/18.1 Mobile/15E148 Safari/604.1`,
    "Safari",
    "iPhone",
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webkit} CriOS/131.0 Mobile/15E148 Safari/604.1`,
    "Chrome",
    "iPhone",
  ],
  [`Mozilla/5.0 (Linux; Android 14) ${blink} Chrome/131.0.0.0 Mobile Safari/537.36`, "Chrome", "Android"],
  [
    `Mozilla/5.0 (Linux; Android 14) ${blink} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/131.0.0.0 Safari/537.36`, "Chrome", "ChromeOS"],
  ["curl/8.11.0", "curl", null],
  ["", null, null],
  ["a".repeat(300), null, null],
])("%s", (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system });
});
