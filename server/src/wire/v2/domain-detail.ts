import { Type } from "typebox";
import type { DomainDetail } from "../../monitor/get-domain.ts";
import { detailFields, DomainDetail as LegacyDetail, projectDomainDetail } from "../legacy/domain-detail.ts";
import { projectV2Domain, v2DomainFields } from "./domains.ts";
import { snakeSchema, toSnake } from "./snake-case.ts";

/** The list item's fields, and the rest of legacy's detail in snake_case. */
export const V2DomainDetail = Type.Object(
  {
    ...v2DomainFields,
    ...(snakeSchema(Type.Object(detailFields)) as unknown as { properties: Record<string, never> })
      .properties,
  },
  { title: "V2DomainDetail" },
);

/** A domain in full. `now` in milliseconds. */
export const projectV2DomainDetail = (detail: DomainDetail, now: number) => ({
  ...toSnake(LegacyDetail, projectDomainDetail(detail, now)),
  ...projectV2Domain(detail, now),
});
