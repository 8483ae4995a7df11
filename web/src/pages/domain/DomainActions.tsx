import { useNavigate } from "@tanstack/react-router";
import { Pause, Pencil, Play, Trash2 } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DomainDetail } from "../../api/domain.ts";
import { type Domain, useSetEnabled } from "../../api/domains.ts";
import { Button } from "../../components/Button.tsx";
import { showToast } from "../../components/toasts.ts";
import { paths } from "../../paths.ts";
import { DeleteDomainDialog } from "../domains/DeleteDomainDialog.tsx";
import { EditDomainDialog } from "./EditDomainDialog.tsx";

/** Pause or resume, edit, delete. */
export function DomainActions({ domain, detail }: { domain: Domain; detail: DomainDetail | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const { mutate: setEnabled } = useSetEnabled();
  const editButton = useRef<HTMLButtonElement>(null);
  const focusEdit = useCallback(() => editButton.current?.focus(), []);
  const { id, enabled } = domain;
  const toggle = () =>
    setEnabled({ id, enabled: !enabled }, { onError: (error) => showToast("error", error.message) });
  const Icon = enabled ? Pause : Play;
  return (
    <div className="flex gap-2">
      <Button variant="quiet" onClick={toggle}>
        <Icon aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
        {t(enabled ? "domain.action.pause" : "domain.action.resume")}
      </Button>
      <Button variant="quiet" ref={editButton} disabled={!detail} onClick={() => setOpen("edit")}>
        <Pencil aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
        {t("domain.action.edit")}
      </Button>
      <Button variant="quiet" data-domain-menu={id} onClick={() => setOpen("delete")}>
        <Trash2 aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
        {t("domain.action.delete")}
      </Button>
      {open === "edit" && detail && (
        <EditDomainDialog detail={detail} onDone={() => setOpen(null)} onLeft={focusEdit} />
      )}
      {open === "delete" && (
        <DeleteDomainDialog
          domain={domain}
          onDone={() => setOpen(null)}
          onDeleted={() => void navigate({ to: paths.domains })}
        />
      )}
    </div>
  );
}
