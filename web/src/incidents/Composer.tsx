import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Incident } from "../api/incidents.ts";
import { Card } from "../components/Card.tsx";
import { LeaveGuard } from "../forms/LeaveGuard.tsx";
import { CommentForm } from "./CommentForm.tsx";
import { UpdateForm } from "./UpdateForm.tsx";
import { useUpdate } from "./use-update.ts";

const kinds = ["update", "comment"] as const;

/** Says something: to visitors of status pages, or to colleagues. */
export function Composer({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const [kind, setKind] = useState<(typeof kinds)[number]>("update");
  const [text, setText] = useState("");
  const compose = { incident, text, onText: setText };
  const updating = useUpdate(compose);
  // Whatever is posted leaves the form empty.
  const saved = useRef(false);
  const onCommented = () => {
    setText("");
    updating.drafting.forget();
  };
  return (
    <Card className="grid gap-3 p-4">
      <LeaveGuard changed={text.trim() !== ""} saved={saved} isOnePage />
      <div role="group" aria-label={t("compose.label")} className="-mx-1 -mt-1 flex gap-0.5">
        {kinds.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === kind}
            disabled={updating.isSending || updating.drafting.isWriting}
            onClick={() => setKind(one)}
            className="h-8 rounded-md px-2.5 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
          >
            {t(`compose.${one}`)}
          </button>
        ))}
      </div>
      {kind === "update" ? (
        <UpdateForm {...compose} updating={updating} />
      ) : (
        <CommentForm {...compose} onPosted={onCommented} />
      )}
    </Card>
  );
}
