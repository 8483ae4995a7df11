import { Type } from "typebox";
import type { SecretHint } from "../../secret/config-secrets.ts";

const hidden: SecretHint = { "x-secret": "hidden" };

/** An address that is a secret by itself: whoever knows it may send. */
export const secretUrl = (description: string, example: string) =>
  Type.String({
    format: "web-url",
    maxLength: 2048,
    description,
    examples: [example],
    ...hidden,
  });

/** Where a service is reached. */
export const serverUrl = (description: string, usual?: string) =>
  Type.String({
    format: "base-url",
    maxLength: 2048,
    description,
    ...(usual === undefined ? { examples: ["https://push.example.com"] } : { default: usual }),
  });

/** A credential. */
export const secretText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1024, format: "password", description, ...hidden });

/** The host of an address, for lists. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

/** An address below another one, whether that ends in a slash or not. */
export const below = (server: string, path: string): string => `${server.replace(/\/+$/, "")}${path}`;
