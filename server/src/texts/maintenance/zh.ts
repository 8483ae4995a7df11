import type { maintenance as english } from "./en.ts";

/** What there is to say of maintenance windows, in Chinese (see ../en.ts for the slots). */
export const maintenance: Record<keyof typeof english, string> = {
  "maintenance.rule":
    "无法使用此重复规则。请写成 FREQ=WEEKLY;BYDAY=SU 这样的形式，最频繁为每天，且不含 DTSTART。",
  "maintenance.rule_never": "此规则永远不会成立。",
  "maintenance.rule_ends": "重复规则只能包含 COUNT 或 UNTIL 之一。",
  "maintenance.overlap": "时段不能长于到下一个时段的间隔，此处为 {gap:duration}。",
  "maintenance.nothing": "请说明适用范围：全部、标签或单个监控项。",
  "maintenance.until": "结束时间必须晚于开始时间。",
  "maintenance.span": "一次最多 {days} 天。",
  "maintenance.far": "距现在最多十年。",
  "maintenance.past": "此时间已过。维护时段只从现在起生效：请推迟开始时间或延长时长。",
  "maintenance.never": "按这些设置，该时段永远不会开始。",
  "maintenance.not_open": "当前不在维护中，没有可结束的时段。",
  "maintenance.no_occurrence": "该时间没有可跳过的维护时段。",
  "maintenance.many": "一个组织最多可有 {limit} 个进行中或将来的维护时段。",
  "maintenance.monitor": "没有 ID 为 {id} 的站点、服务或设备。",
};
