import type { QueryClient } from "@tanstack/react-query";
import { showToast, type ToastTone } from "../components/toasts.ts";
import { type Domain, domainsQuery, patchDomain } from "./domains.ts";

type Handler = (client: QueryClient, payload: never) => void;

interface StatusPayload {
  monitorId: number;
  state: Domain["state"];
  statusSince: string;
  reason: string | null;
}

export const liveHandlers: Record<string, Handler> = {
  status: (client: QueryClient, payload: StatusPayload) => {
    const { monitorId, state, statusSince, reason } = payload;
    if (!patchDomain(client, monitorId, { state, statusSince, reason }))
      void client.invalidateQueries(domainsQuery);
  },
  notification: (_client: QueryClient, { type, message }: { type: ToastTone; message: string }) => {
    showToast(type, message);
  },
  reset: (client: QueryClient) => {
    void client.invalidateQueries();
  },
};
