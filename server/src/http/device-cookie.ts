import type { FastifyReply, FastifyRequest } from "fastify";
import { DEVICE_KNOWN_MS, deviceSuffix, proveDevice } from "../account/known-device.ts";
import type { Context } from "../context.ts";
import { cookieAttributes } from "./session-cookie.ts";

/** What the browser proves that it has been signed in with to this account. */
export const readDeviceCookie = (request: FastifyRequest, email: string): string | undefined =>
  request.cookies[nameOf(email)];

/** Lets the browser be known at the person's next sign-in. */
export async function rememberDevice(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const device = await proveDevice(ctx, userId);
  if (!device) return;
  reply.setCookie(nameOf(device.email), device.proof, {
    ...cookieAttributes(ctx.config, request),
    path: "/api/auth",
    maxAge: DEVICE_KNOWN_MS / 1000,
  });
}

const nameOf = (email: string): string => `vedette_device_${deviceSuffix(email)}`;
