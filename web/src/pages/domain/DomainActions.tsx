import { useNavigate } from "@tanstack/react-router";
import { Pause, Pencil, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Domain } from "../../api/domain-list.ts";
import { useSetEnabled } from "../../api/domains.ts";
import { Button } from "../../components/Button.tsx";
import { ButtonLink } from "../../components/ButtonLink.tsx";
import { paths } from "../../paths.ts";
import { DeleteDomainDialog } from "../domains/DeleteDomainDialog.tsx";

/** Pause or resume, edit, delete. */
export function DomainActions({ domain }: { domain: Domain }) {
  const { t } = useTranslation("monitor");
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const { mutate: setEnabled } = useSetEnabled();
  const { id, enabled } = domain;
  const toggle = () => setEnabled({ id, enabled: !enabled });
  const Icon = enabled ? Pause : Play;
  return (
    <div className="flex gap-2">
      <Button variant="quiet" onClick={toggle}>
        <Icon aria-hidden className="-ml-0.5 size-4 text-ink-faint max-sm:hidden" />
        {t(enabled ? "action.pause" : "action.resume")}
      </Button>
      <ButtonLink to={paths.editDomain} params={{ id: String(id) }}>
        <Pencil aria-hidden className="-ml-0.5 size-4 text-ink-faint max-sm:hidden" />
        {t("action.edit")}
      </ButtonLink>
      <Button variant="quiet" data-domain-menu={id} onClick={() => setDeleting(true)}>
        <Trash2 aria-hidden className="-ml-0.5 size-4 text-ink-faint max-sm:hidden" />
        {t("action.delete")}
      </Button>
      {deleting && (
        <DeleteDomainDialog
          domain={domain}
          onDone={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: paths.domains })}
        />
      )}
    </div>
  );
}
