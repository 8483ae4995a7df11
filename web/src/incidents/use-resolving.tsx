import { type ReactNode, useCallback, useState } from "react";
import { type Incident, stillDown } from "../api/incidents.ts";
import { ResolveDialog } from "./ResolveDialog.tsx";
import { useActs } from "./use-acts.ts";

/** Resolves an incident: at once where all of it works again, else once the question is answered. */
export function useResolving(): { resolve: (incident: Incident) => void; question: ReactNode } {
  const { resolve } = useActs();
  const [asked, setAsked] = useState<Incident>();
  const ask = useCallback(
    (incident: Incident) => (stillDown(incident).length > 0 ? setAsked(incident) : resolve(incident)),
    [resolve],
  );
  return {
    resolve: ask,
    question: asked && (
      <ResolveDialog
        incident={asked}
        onConfirm={() => {
          setAsked(undefined);
          resolve(asked);
        }}
        onClose={() => setAsked(undefined)}
      />
    ),
  };
}
