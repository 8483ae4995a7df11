import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, sentencesOf } from "../api/client.ts";

/** A sentence inside a form or page that must not be overlooked. Errors are read out at once. */
export function Callout({ tone, children }: { tone: "error" | "info"; children: ReactNode }) {
  const error = tone === "error";
  const Icon = error ? CircleAlert : Info;
  return (
    <div
      role={error ? "alert" : "status"}
      className={`arriving flex gap-2.5 rounded-md px-3 py-2.5 text-sm ${error ? "bg-down-soft text-down-ink" : "bg-hover text-ink-muted"}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div>{children}</div>
    </div>
  );
}

/** Why something could not be done; nothing while nothing has failed. */
export function FailureCallout({ of: failure }: { of: Failure | null }) {
  const { t } = useTranslation();
  if (!failure) return null;
  return (
    <Callout tone="error">
      {failure.message}
      {failure.requestId !== null && (
        <p className="mt-1 text-xs wrap-anywhere select-all">
          {t("error.requestId", { id: failure.requestId })}
        </p>
      )}
    </Callout>
  );
}

export interface Failure {
  message: string;
  /** The id of the error in the server's log, where it is the server's fault; null for what the reader can correct. */
  requestId: string | null;
}

export const failureOf = (error: Error): Failure => ({
  message: error.message,
  requestId: error instanceof ApiError && error.status >= 500 ? error.requestId : null,
});

/** The same with the message of each field that has no box to show it at. */
export const failureInWords = (error: Error): Failure => ({
  ...failureOf(error),
  message: sentencesOf(error).join(" "),
});
