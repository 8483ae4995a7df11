import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { type Configuration, Provider } from "oidc-provider";
import { onTestFinished } from "vitest";

export type SigningAlgorithm = "RS256" | "ES256" | "EdDSA";

/** A real identity provider on this machine, whose clients get tokens in their own name. */
export interface IdentityProvider {
  issuer: string;
  /** The private keys that it signs with now. */
  keys(): JWK[];
  /** A token from its token endpoint: for a resource, as a client whose claims were registered. */
  token(options: {
    resource: string;
    client?: string;
    alg?: SigningAlgorithm;
    scope?: string;
  }): Promise<string>;
  /** Signs with other keys from now on; what the old ones signed is no longer vouched for. */
  rotate(): Promise<void>;
  /** How often its keys were requested. */
  keyRequests(): number;
}

const SECRET = "a secret of the test's own, long enough";

/** Made once: making them takes longer than any test. */
const made = new Map<number, Promise<JWK[]>>();

function keysOf(generation: number): Promise<JWK[]> {
  const keys = made.get(generation) ?? makeKeys(generation);
  made.set(generation, keys);
  return keys;
}

async function makeKeys(generation: number): Promise<JWK[]> {
  const algorithms: SigningAlgorithm[] = ["RS256", "ES256", "EdDSA"];
  return Promise.all(
    algorithms.map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: `${alg}-${generation}` };
    }),
  );
}

/** `clients`: what the provider says of each in its tokens. */
export async function startIdentityProvider(clients: Record<string, object>): Promise<IdentityProvider> {
  let handle: (...exchange: Parameters<RequestListener>) => unknown = (_request, response) => response.end();
  let keyRequests = 0;
  const listener = createServer((request, response) => {
    if (request.url === "/jwks") keyRequests += 1;
    handle(request, response);
  });
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  let keys: JWK[] = [];
  let alg: SigningAlgorithm = "RS256";
  let generation = 0;
  const rotate = async () => {
    keys = await keysOf(++generation);
    const provider = new Provider(
      issuer,
      configuration(clients, keys, () => alg),
    );
    handle = provider.callback();
  };
  await rotate();
  return {
    issuer,
    keys: () => keys,
    rotate,
    keyRequests: () => keyRequests,
    async token({ resource, client = "known", alg: wanted = "RS256", scope }) {
      alg = wanted;
      const form = { grant_type: "client_credentials", resource, ...(scope && { scope }) };
      const answer = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`${client}:${encodeURIComponent(SECRET)}`).toString("base64")}`,
        },
        body: new URLSearchParams(form),
      });
      const { access_token: token, ...failure } = (await answer.json()) as { access_token?: string };
      if (!token) throw new Error(`The provider gave no token: ${JSON.stringify(failure)}`);
      return token;
    },
  };
}

const configuration = (
  clients: Record<string, object>,
  keys: JWK[],
  alg: () => SigningAlgorithm,
): Configuration => ({
  clients: Object.keys(clients).map((id) => ({
    client_id: id,
    client_secret: SECRET,
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
  })),
  jwks: { keys } as NonNullable<Configuration["jwks"]>,
  scopes: ["read:domains", "read:dashboard"],
  ttl: { ClientCredentials: 3600 },
  extraTokenClaims: (_ctx, token) => clients[(token as { clientId?: string }).clientId ?? ""] as never,
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_ctx, resource) => ({
        scope: "read:domains read:dashboard",
        audience: resource,
        accessTokenTTL: 3600,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: alg() } },
      }),
    },
  },
});
