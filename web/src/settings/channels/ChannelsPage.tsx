import { useQuery } from "@tanstack/react-query";
import { BellRing, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Channel, channelsQuery } from "../../api/channels.ts";
import { useMayWrite } from "../../api/roles.ts";
import { ButtonLink } from "../../components/ButtonLink.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import { ChannelList } from "./ChannelList.tsx";
import { DeleteChannelDialog } from "./DeleteChannelDialog.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/channels": typeof english;
  }
}

/** Where the organization's people are told of outages. */
export function ChannelsPage() {
  const { t } = useTranslation("settings/channels");
  usePageTitle(t("title"));
  const query = useQuery(channelsQuery);
  const [deleting, setDeleting] = useState<Channel | null>(null);
  const canWrite = useMayWrite();
  const add = canWrite && (
    <ButtonLink to="/settings/channels/new">
      <Plus aria-hidden className="-ml-0.5 size-4" />
      {t("add")}
    </ButtonLink>
  );
  return (
    <>
      <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-4">
        <p className="text-pretty text-ink-muted">{t("text")}</p>
        {query.data && query.data.length > 0 && add}
      </div>
      <Card>
        <Loaded
          of={query}
          failed={t("failed")}
          loading={<ChannelList channels={undefined} />}
          empty={
            <EmptyState
              icon={<BellRing aria-hidden className="size-7" strokeWidth={1.25} />}
              title={t("empty.title")}
              text={t(canWrite ? "empty.text" : "empty.readOnly")}
            >
              {add}
            </EmptyState>
          }
        >
          {(channels) => <ChannelList channels={channels} {...(canWrite && { onDelete: setDeleting })} />}
        </Loaded>
      </Card>
      {deleting && <DeleteChannelDialog channel={deleting} onDone={() => setDeleting(null)} />}
    </>
  );
}
