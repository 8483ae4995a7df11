import { LogOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SignIn } from "../../api/profile.ts";
import { IconButton } from "../../components/Button.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatAgo, formatDate, formatDateTime } from "../../i18n/format.ts";
import { useDeviceName } from "./use-device-name.ts";

interface SignInListProps {
  /** Undefined while they are on their way. */
  signIns: SignIn[] | undefined;
  onEnd: (signIn: SignIn) => void;
}

/** One session a row: with what, from where, when last. */
export function SignInList({ signIns, onEnd }: SignInListProps) {
  const { t } = useTranslation(["settings/profile", "shared"]);
  const nameOf = useDeviceName();
  const columns: Column<SignIn>[] = [
    { id: "device", head: t("signIns.deviceHead"), cell: (one) => <Device signIn={one} />, names: true },
    {
      id: "address",
      head: t("signIns.address"),
      cell: ({ address }) => address,
      wide: true,
      width: "w-44",
      className: "wrap-anywhere text-ink-muted",
    },
    {
      id: "seen",
      head: t("signIns.seen"),
      cell: (one) => <LastSeen signIn={one} />,
      wide: true,
      width: "w-36",
      className: "text-ink-muted",
    },
    {
      id: "actions",
      head: <span className="sr-only">{t("shared:table.actions")}</span>,
      cell: (one) =>
        !one.current && (
          <IconButton
            label={t("signIns.endLabel", { device: nameOf(one) })}
            onClick={() => onEnd(one)}
            className="-my-1 -mr-2"
          >
            <LogOut aria-hidden className="size-4" />
          </IconButton>
        ),
      align: "end",
      width: "w-16",
    },
  ];
  const note = (one: SignIn) => (
    <>
      {one.address} · <LastSeen signIn={one} />
    </>
  );
  return <Table columns={columns} rows={signIns} keyOf={({ id }) => id} expected={2} note={note} />;
}

function Device({ signIn }: { signIn: SignIn }) {
  const { t, i18n } = useTranslation("settings/profile");
  const nameOf = useDeviceName();
  const date = formatDate(signIn.createdAt, i18n.language);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 font-medium">
        <span title={signIn.userAgent}>{nameOf(signIn)}</span>
        {signIn.current && (
          <span className="rounded-full border border-line-strong px-2 text-xs font-normal text-ink-muted">
            {t("signIns.current")}
          </span>
        )}
      </div>
      <div className="text-xs text-ink-faint" title={formatDateTime(signIn.createdAt, i18n.language)}>
        {t("signIns.since", { date })}
      </div>
    </>
  );
}

function LastSeen({ signIn: { lastSeenAt } }: { signIn: SignIn }) {
  const { i18n } = useTranslation();
  const now = useNow();
  return (
    <span title={formatDateTime(lastSeenAt, i18n.language)}>
      {formatAgo(now - Date.parse(lastSeenAt), i18n.language)}
    </span>
  );
}
