import { Link, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useHasExpertPlan } from "../api/organization.ts";
import { useMayWrite, useRole } from "../api/roles.ts";
import { Refused, RefusedByPlan } from "../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import type english from "./en.json";
import { ToolPanel } from "./ToolPanel.tsx";
import { type ToolValues, valuesIn } from "./tool-search.ts";
import { searchFor, type ToolName, toolIcons, toolNames } from "./tools.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    toolbox: typeof english;
  }
}

export function ToolboxPage() {
  const { t } = useTranslation("toolbox");
  usePageTitle(t("title"));
  const mayWrite = useMayWrite();
  const role = useRole();
  const hasPlan = useHasExpertPlan();
  return (
    <>
      <PageBar heading title={t("title")} />
      {!mayWrite ? <Refused role={role} /> : hasPlan ? <Tools /> : <RefusedByPlan />}
    </>
  );
}

function Tools() {
  const search = useSearch({ from: "/app/toolbox" });
  const name = toolNames.find((one) => one === search.tool) ?? toolNames[0];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ToolTabs current={name} given={valuesIn(search)} />
      <ToolPanel key={name} tool={name} given={valuesIn(search)} />
    </div>
  );
}

interface ToolTabsProps {
  current: ToolName;
  given: ToolValues;
}

/** A link for each tool, which takes along what the last one was about; a narrow window scrolls them sideways. */
function ToolTabs({ current, given }: ToolTabsProps) {
  const { t } = useTranslation("toolbox");
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const item = list.current?.children[toolNames.indexOf(current)];
    item?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <nav aria-label={t("tools")} className="-mx-4 overflow-x-auto px-4 py-1 sm:mx-0 sm:px-0">
      <ul ref={list} className="flex w-max gap-1 lg:w-auto lg:flex-wrap">
        {toolNames.map((name) => {
          const Icon = toolIcons[name];
          return (
            <li key={name} className="shrink-0">
              <Link
                to="/toolbox"
                search={searchFor(name, current, given)}
                resetScroll={false}
                activeProps={{}}
                aria-current={name === current ? "page" : undefined}
                className="flex h-9 items-center gap-2 rounded-md border border-transparent px-3 text-sm whitespace-nowrap text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:border-line-strong aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:shadow-card"
              >
                <Icon aria-hidden className="size-4" />
                {t(`tool.${name}.name`)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
