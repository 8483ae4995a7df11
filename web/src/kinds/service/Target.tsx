import { useTranslation } from "react-i18next";
import type { Service } from "../../api/monitor-list.ts";

/** What is spoken, and with whom: "PostgreSQL · db.example.com:5432". */
export function Target({
  service: { protocol, target },
  className,
}: {
  service: Pick<Service, "protocol" | "target">;
  className: string;
}) {
  const { t } = useTranslation("kinds/service");
  const spoken = t(`field.protocol.choice.${protocol as "tcp"}`, protocol);
  return (
    <div className={`truncate ${className}`} title={target}>
      {/* Who waits to be told targets nobody. */}
      {target === protocol ? spoken : `${spoken} · ${target}`}
    </div>
  );
}
