import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";

/** Live events keep it fresh (live.ts). `onSignedOut` runs when the API stops knowing the session. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The server may be on this machine, or in this house: what the browser thinks of the internet says nothing.
      queries: {
        staleTime: 30_000,
        retry: mayRetry,
        retryDelay: (attempt) => 400 * 2 ** attempt,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** Requests that would fail again the same way are not retried. */
function mayRetry(failures: number, error: Error): boolean {
  const transient = !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
  return transient && failures < 2;
}
