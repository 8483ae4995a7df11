/** A cookie that a page sets; its value is nobody's business. */
export interface SetCookie {
  name: string;
  isSecure: boolean;
  isHttpOnly: boolean;
  sameSite: string | null;
}

const MAX_COOKIES = 50;
const MAX_NAME = 100;

/** Reads Set-Cookie headers (RFC 6265 §5.2), without their values. */
export const readSetCookies = (lines: readonly string[]): SetCookie[] =>
  lines.slice(0, MAX_COOKIES).map((line) => {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const attribute = (name: string) =>
      attributes.find((each) => each.toLowerCase().split("=")[0]?.trim() === name);
    const sameSite = attribute("samesite")?.split("=")[1]?.trim().slice(0, MAX_NAME);
    return {
      name: (pair.split("=")[0] ?? "").slice(0, MAX_NAME).toWellFormed(),
      isSecure: attribute("secure") !== undefined,
      isHttpOnly: attribute("httponly") !== undefined,
      sameSite: sameSite ?? null,
    };
  });
