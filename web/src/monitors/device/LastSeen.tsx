import { useTranslation } from "react-i18next";
import type { Device } from "../../api/devices.ts";
import { useNow } from "../../components/use-now.ts";
import { formatAgo, formatDateTime } from "../../i18n/format.ts";

/** When its agent reported last; live events of reports bring it on. */
export function LastSeen({ device: { lastSeen: at } }: { device: Device }) {
  const { i18n } = useTranslation("monitors/device");
  const now = useNow();
  if (at === null) return <span className="text-ink-faint">–</span>;
  return (
    <time
      dateTime={at}
      title={formatDateTime(at, i18n.language)}
      className="relative text-ink-muted tabular-nums"
    >
      {formatAgo(now - Date.parse(at), i18n.language)}
    </time>
  );
}
