import { type Code, type Fact, fact } from "../../texts/fact.ts";

/** What is to be said of a header that protects visitors. */
export interface HeaderVerdict {
  header: string;
  /** As it came; null without one. */
  value: string | null;
  state: "good" | "weak" | "missing";
  /** What that means; null where all is well. */
  what: Fact<Code> | null;
}

const DAY_SECONDS = 86_400;
/** Half a year, less than which lists of sites that are always encrypted do not take. */
const LEAST_HSTS_DAYS = 180;

type Header = (name: string) => string | null;

/** Judges what an answer says to protect its visitors; HSTS counts over HTTPS only (RFC 6797 §8.1). Pure. */
export function securityHeaders(header: Header, isEncrypted: boolean): HeaderVerdict[] {
  const simple = (
    name: string,
    what: Fact<Code>,
    fits = (value: string) => value.trim() !== "",
  ): HeaderVerdict => {
    const value = header(name);
    if (value === null) return { header: name, value, state: "missing", what };
    return fits(value)
      ? { header: name, value, state: "good", what: null }
      : { header: name, value, state: "weak", what };
  };
  return [
    ...(isEncrypted ? [transportSecurity(header("strict-transport-security"))] : []),
    simple("content-security-policy", fact("tool.csp_missing")),
    simple(
      "x-content-type-options",
      fact("tool.nosniff_missing"),
      (value) => value.trim().toLowerCase() === "nosniff",
    ),
    framing(header),
    simple("referrer-policy", fact("tool.referrer_missing"), (value) => !/unsafe-url/i.test(value)),
    simple("permissions-policy", fact("tool.permissions_missing")),
  ];
}

function transportSecurity(value: string | null): HeaderVerdict {
  const header = "strict-transport-security";
  if (value === null) return { header, value, state: "missing", what: fact("tool.hsts_missing") };
  const [, seconds = "0"] = /(?:^|;)\s*max-age\s*=\s*"?(\d{1,12})/i.exec(value) ?? [];
  const days = Math.floor(Number(seconds) / DAY_SECONDS);
  return days >= LEAST_HSTS_DAYS
    ? { header, value, state: "good", what: null }
    : { header, value, state: "weak", what: fact("tool.hsts_short", { days }) };
}

/** Either header tells who may show the page in a frame; the policy wins where both do. */
function framing(header: Header): HeaderVerdict {
  const name = "x-frame-options";
  const policy = header("content-security-policy");
  const [ancestors] = /(?:^|;)\s*frame-ancestors\s[^;]*/i.exec(policy ?? "") ?? [];
  if (ancestors !== undefined) {
    return { header: name, value: ancestors.replace(/^;/, "").trim(), state: "good", what: null };
  }
  const value = header(name);
  if (value === null) return { header: name, value, state: "missing", what: fact("tool.framing_missing") };
  const isKnown = /^\s*(?:deny|sameorigin)\s*$/i.test(value);
  return {
    header: name,
    value,
    state: isKnown ? "good" : "weak",
    what: isKnown ? null : fact("tool.framing_missing"),
  };
}
