import { monitorKinds } from "../kinds.ts";
import { ApiError, call } from "./client.ts";
import type { Domain } from "./monitor-list.ts";

/** However the address is written; null for none. What is no address is left for the API to refuse. */
export async function findWatched(url: string): Promise<Domain | null> {
  try {
    const { data } = await call<Domain[]>("GET", monitorKinds.domain.api, { query: { url, limit: 1 } });
    return data[0] ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return null;
    throw error;
  }
}
