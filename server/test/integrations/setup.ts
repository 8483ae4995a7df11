import { onTestFinished } from "vitest";
import { ProviderError } from "../../src/integrations/provider-error.ts";
import { readIntegration } from "../../src/integrations/queries/integrations.ts";
import type { Provider } from "../../src/integrations/registry.ts";
import { syncIntegration } from "../../src/integrations/sync.ts";
import { startTestServer, type TestServerOptions } from "../harness/server.ts";
import type { EngineName } from "../harness/stores.ts";
import { addLinked } from "./linked.ts";
import { type Providers, startProviders } from "./providers.ts";

/** A clock that stops until it is moved. */
function movableClock(start = Date.UTC(2026, 10, 24, 12)) {
  let at = start;
  return {
    now: () => at,
    pass: (ms: number) => {
      at += ms;
    },
  };
}

/** A server and the providers that it uses. */
export async function startIntegrating(
  engine: EngineName,
  { config = {}, ...options }: Partial<TestServerOptions> & { providers?: Providers } = {},
) {
  const providers = options.providers ?? (await startProviders());
  const clock = movableClock();
  const server = await startTestServer({
    engine,
    clock,
    ...options,
    config: { ...providers.config, ...config },
  });
  onTestFinished(async () => {
    await server.close();
    if (!options.providers) await providers.close();
  });
  const owner = { organizationId: server.person.organization.id };
  return {
    ...{ server, providers, clock, owner },
    link: (provider: Provider, more?: object) => addLinked({ server, owner }, provider, more),
    /** One look at an account, as the process makes it every five minutes. */
    async sync(id: number): Promise<void> {
      const found = await readIntegration(server.ctx.store.db, id);
      if (!found) throw new Error(`no integration ${id}`);
      await syncIntegration(server.ctx, found);
    },
  };
}

/** What kind of failure a promise ends with. */
export const failureOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: unknown) => (error instanceof ProviderError ? error.is : String(error)),
  );
