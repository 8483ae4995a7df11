import { expect, test } from "vitest";
import { type ActiveKind, NO_PHASES, PHASES, type ProbedKind } from "../../src/checks/check.ts";
import { activeKind, checkKind, passiveTypes } from "../../src/checks/registry.ts";
import { CHECK_PHASES } from "../../src/monitors/schemas/check-result.ts";
import { EXAMPLES, startExample } from "./examples.ts";
import { makeNetwork } from "./factories.ts";

const present = Object.entries(EXAMPLES).filter(([, { lacks = null }]) => lacks === null);

test.each(present)("a check of kind %s measures what its kind says", async (type, example) => {
  const port = await startExample(example);
  const environment = { network: await makeNetwork(), timeoutMs: 5000 };
  const kind = activeKind(type) as ActiveKind;
  const { verdict, phases, reason } = await kind.run(example.config(port) as never, environment);
  expect({ verdict, reason }).toEqual({ verdict: "ok", reason: null });
  expect(PHASES.filter((phase) => phases[`${phase}Us`] !== null)).toEqual(kind.phases);
});

test("a kind that receives signals measures nothing, and the app knows what each one measures", () => {
  for (const type of passiveTypes) expect(checkKind(type)?.phases).toEqual([]);
  expect(CHECK_PHASES).toMatchObject({ http: PHASES, heartbeat: [] });
});

test("a kind that reports a phase which it does not name does not compile", async () => {
  type Run = ProbedKind<object, readonly ["dns", "firstByte"]>["run"];
  const seen = { verdict: "ok", reason: null, statusCode: null, address: null, protocol: null } as const;
  const outcome = { ...seen, certificate: null };
  const ping: Run = async () => ({ ...outcome, phases: { ...NO_PHASES, dnsUs: 1, firstByteUs: 2 } });
  // @ts-expect-error nothing was said of a handshake
  const handshake: Run = async () => ({ ...outcome, phases: { ...NO_PHASES, dnsUs: 1, tlsUs: 2 } });
  const environment = { network: await makeNetwork(), timeoutMs: 1 };
  expect((await ping({}, environment)).phases.firstByteUs).toBe(2);
  expect((await handshake({}, environment)).phases.tlsUs).toBe(2);
});
