import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { totpCode } from "../harness/totp.ts";
import { openBrowser, PASSWORD, signedIn } from "./browser.ts";

/** The digits of `code` as another script writes them, whose zero is `zero`. */
const inDigits = (code: string, zero: string): string =>
  code.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));

const NO_CODES = [
  "12345é",
  "１２３４５é",
  "éééééé",
  "12345😀",
  "12345\ud800",
  "१२३४५६",
  "①②③④⑤⑥⑦",
  "1234567",
  "-12345",
];

eachEngine("a one-time code", (engine) => {
  async function start() {
    let now = Date.now();
    const server = await startTestServer({
      engine,
      clock: { now: () => now },
    });
    onTestFinished(server.close);
    const { browser, email } = await signedIn(server);
    const { secret } = (await browser.send("POST", "/api/auth/totp", { password: PASSWORD })).body.data;
    const confirm = (code: string) => browser.send("POST", "/api/auth/totp/confirm", { code });
    const signIn = (code: string) =>
      openBrowser(server).send("POST", "/api/auth/sign-in", { email, password: PASSWORD, code });
    /** The code of the next time step: each works once. */
    const nextCode = () => totpCode(secret, (now += 30_000));
    return { confirm, signIn, nextCode };
  }

  test("that is no code is refused on its field, whatever its bytes", async () => {
    const { confirm, signIn, nextCode } = await start();
    const wrong = { code: ["The code is wrong, or was used already."] };
    for (const code of NO_CODES) {
      const { status, body } = await confirm(code);
      expect([code, status, body.errors]).toEqual([code, 422, wrong]);
    }
    expect((await confirm(nextCode())).status).toBe(200);
    for (const code of [...NO_CODES, "", "é"]) {
      const { status, body } = await signIn(code);
      expect([code, status, body.errors]).toEqual([code, 422, wrong]);
    }
  });

  test("counts as it is meant: in full-width or Arabic digits, with spaces", async () => {
    const { confirm, signIn, nextCode } = await start();
    expect((await confirm(inDigits(nextCode(), "０"))).status).toBe(200);
    for (const zero of ["０", "٠", "۰"]) {
      expect([zero, (await signIn(inDigits(nextCode(), zero))).status]).toEqual([zero, 200]);
    }
    const spaced = nextCode().replace(/^.../, "$&\u00a0 ");
    expect((await signIn(spaced)).status).toBe(200);
  });
});
