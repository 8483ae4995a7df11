import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { MemberState } from "../../src/checks/check.ts";
import { evaluateMembers, GROUP_RULES } from "../../src/checks/group.ts";
import { inEnglish } from "../../src/platform/i18n/english.ts";

type Letter = "u" | "g" | "d" | "?" | "p";
const STATUSES = { u: "up", g: "degraded", d: "down", "?": "unknown", p: "down" } as const;

/** Members by letters: up, de(g)raded, down, unknown (?), paused. */
const members = (letters: string): MemberState[] =>
  [...letters].map((letter, index) => ({
    name: `M${index + 1}`,
    status: STATUSES[letter as Letter],
    isLeftOut: letter === "p",
  }));

const verdictOf = (rule: "all" | "any" | number, letters: string) =>
  evaluateMembers(
    typeof rule === "number" ? { rule: "count", count: rule } : { rule, count: 1 },
    members(letters),
  ).verdict;

describe("a group's rule", () => {
  test.each([
    // all
    ["all", "uuu", "ok"],
    ["all", "uug", "degraded"],
    ["all", "uud", "failed"],
    ["all", "u?d", "failed"],
    ["all", "uu?", null],
    ["all", "gg?", null],
    ["all", "???", null],
    ["all", "uup", "ok"],
    ["all", "up?", null],
    ["all", "ppp", null],
    ["all", "", null],
    // any
    ["any", "udd", "ok"],
    ["any", "gdd", "degraded"],
    ["any", "g??", "degraded"],
    ["any", "ddd", "failed"],
    ["any", "dd?", null],
    ["any", "ddp", "failed"],
    ["any", "pp?", null],
    // so many
    [2, "uud", "ok"],
    [2, "ugd", "degraded"],
    [2, "udd", "failed"],
    [2, "u?d", null],
    [2, "g?d", null],
    [2, "u??", null],
    [2, "uu?", "ok"],
    [3, "uupp", "ok"],
    [3, "udpp", "failed"],
    [3, "pppp", null],
  ] as const)("%s of %s: %s", (rule, letters, verdict) => {
    expect(verdictOf(rule, letters)).toBe(verdict);
  });

  const letters = fc.string({ unit: fc.constantFrom("u", "g", "d", "?", "p"), maxLength: 12 });
  const rules = fc.record({ rule: fc.constantFrom(...GROUP_RULES), count: fc.integer({ min: 1, max: 12 }) });
  /** From bad to good; undecided is between what it could turn out to be. */
  const rank = (verdict: ReturnType<typeof verdictOf>) => ["failed", null, "degraded", "ok"].indexOf(verdict);

  it("never gets worse because a member gets better", () => {
    fc.assert(
      fc.property(rules, letters, fc.nat(), (rule, text, at) => {
        const index = text.length === 0 ? 0 : at % text.length;
        const ladder = ["d", "g", "u"];
        const place = ladder.indexOf(text[index] ?? "");
        fc.pre(place >= 0 && place < 2);
        const better = text.slice(0, index) + ladder[place + 1] + text.slice(index + 1);
        expect(rank(evaluateMembers(rule, members(better)).verdict)).toBeGreaterThanOrEqual(
          rank(evaluateMembers(rule, members(text)).verdict),
        );
      }),
    );
  });

  it("is down only if it is down whatever the unknown members are, and up only if it is up whatever they are", () => {
    fc.assert(
      fc.property(rules, letters, (rule, text) => {
        const { verdict } = evaluateMembers(rule, members(text));
        const works = (found: typeof verdict) => found === "ok" || found === "degraded";
        const best = evaluateMembers(rule, members(text.replaceAll("?", "u"))).verdict;
        const worst = evaluateMembers(rule, members(text.replaceAll("?", "d"))).verdict;
        if (verdict === "failed") expect([best, worst]).toEqual(["failed", "failed"]);
        if (verdict === "ok") expect([best, worst]).toEqual(["ok", "ok"]);
        if (verdict === "degraded") expect([works(best), works(worst)]).toEqual([true, true]);
        if (verdict === null && /[^p]/.test(text)) expect([works(best), worst]).toEqual([true, "failed"]);
      }),
    );
  });

  it("does not depend on the order of its members, nor on those that are left out", () => {
    fc.assert(
      fc.property(rules, letters, (rule, text) => {
        const verdict = evaluateMembers(rule, members(text)).verdict;
        expect(evaluateMembers(rule, members([...text].reverse().join(""))).verdict).toBe(verdict);
        expect(evaluateMembers(rule, members(`p${text}p`)).verdict).toBe(verdict);
      }),
    );
  });

  test.each([
    ["all", "uud", "1 of 3 down: M3."],
    ["all", "ddddd", "5 of 5 down: M1, M2, M3 and 2 more."],
    ["all", "pugd", "1 of 3 down: M4."],
    ["all", "gug", "2 of 3 degraded: M1, M3."],
    ["any", "d??", "2 of 3 without a known status: M2, M3."],
    ["all", "pp", "All members (2) are paused or in maintenance."],
    ["all", "", "The group has no members left."],
    ["any", "udd", "1 of 3 up."],
  ] as const)("%s of %s says: %3$s", (rule, letters, sentence) => {
    const { reason, message } = evaluateMembers({ rule, count: 1 }, members(letters));
    expect(inEnglish(reason ?? message ?? { code: "none" })).toBe(sentence);
  });

  it("says names of any length and kind within bounds, and nothing that a terminal obeys", () => {
    const hostile = members("ddd").map((member) => ({
      ...member,
      name: `\u001b[31m${"x".repeat(5_000)}\u202e`,
    }));
    const { reason } = evaluateMembers({ rule: "all", count: 1 }, hostile);
    const names = String(reason?.params?.["names"]);
    expect(names.length).toBeLessThan(300);
    expect(names).not.toMatch(/\p{Cc}|\u202e/u);
  });
});
