import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Service } from "../../api/monitor-list.ts";
import { ButtonLink } from "../../components/Button.tsx";
import { monitorKinds } from "../../kinds.ts";
import type { ListOfKind } from "../descriptor.ts";
import { MonitorsPage } from "../MonitorsPage.tsx";
import type english from "./en.json";
import { Target } from "./Target.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitors/service": typeof english;
  }
}

const list: ListOfKind = {
  kind: monitorKinds.service,
  address: (service: Service) => <Target service={service} where="list" />,
  add: (isAlone) => <AddLink className={isAlone ? "" : "md:justify-self-end"} />,
};

export const ServicesPage = () => <MonitorsPage list={list} />;

function AddLink({ className }: { className: string }) {
  const { t } = useTranslation("monitors/service");
  return (
    <ButtonLink to={monitorKinds.service.pages.add} className={className}>
      <Plus aria-hidden className="-ml-0.5 size-4" />
      {t("add")}
    </ButtonLink>
  );
}
