import type { StatusPageTexts } from "./en.ts";

/** What visitors of a status page read, in Chinese; see en.ts. */
export const zh: StatusPageTexts = {
  "language.name": "中文",
  "language.choose": "语言",

  "overall.operational": "所有系统运行正常",
  "overall.maintenance": "正在维护",
  "overall.degraded": "性能下降",
  "overall.partial_outage": "部分服务中断",
  "overall.major_outage": "大范围服务中断",
  "overall.unknown": "状态未知",
  "overall.empty": "此页面暂无内容",
  "overall.at": "截至 {at}",
  "overall.old": "以下为 {at} 的状态，目前无法获取更新的信息。",

  "status.operational": "正常",
  "status.degraded": "性能下降",
  "status.outage": "中断",
  "status.maintenance": "维护中",
  "status.unknown": "未知",
  "status.paused": "未监控",
  "status.no_data": "无数据",

  "stage.open": "已发现",
  "stage.investigating": "调查中",
  "stage.identified": "已查明原因",
  "stage.monitoring": "观察中",
  "stage.resolved": "已解决",

  "part.incidents": "当前故障",
  "part.maintenance": "维护",
  "part.ahead": "计划维护",
  "part.components": "系统",
  "part.recent": "近期故障",
  "part.history": "历史故障",
  "part.updates": "进展",

  "incident.since": "开始于 {since}",
  "incident.lasted": "{from}，持续 {lasted}",
  "incident.affects": "受影响：{names}",
  "incident.quiet": "暂无进展。",
  "incident.all": "全部故障",
  "recent.none": "最近 {count} 天没有故障。",
  "history.none": "本月没有故障。",
  "history.newer": "较新",
  "history.older": "较早",
  "history.months": "月份",
  back: "返回当前状态",

  "maintenance.running": "进行中，预计 {until} 结束",
  "maintenance.ahead": "{from} 至 {until}",

  "days.first.one": "{count} 天前",
  "days.first.other": "{count} 天前",
  "days.last": "今天",
  "days.uptime": "可用率 {percent}",
  "days.trouble.none": "最近 {count} 天没有中断。",
  "days.trouble.one": "最近 {count} 天中有 {days} 天出现问题。",
  "days.trouble.other": "最近 {count} 天中有 {days} 天出现问题。",
  "day.outage": "{from} 至 {to} 中断",
  "day.outage_since": "自 {from} 起中断",
  "day.more": "另有 {count} 次",
  "speed.label": "响应时间（24 小时）",
  "speed.now": "{ms} 毫秒",
  "speed.chart": "{least} 至 {most} 毫秒",

  "foot.zone": "所有时间均为时区 {zone} 的时间。",
  "foot.made": "由 {maker} 提供",

  "missing.title": "找不到页面",
  "missing.text": "此地址没有任何内容。",
  "away.title": "暂时无法显示状态",
  "away.text": "此页面存在，但目前无法读取其数据。页面每 15 秒会自动重试。",

  "automatic.down": "{name} 无法使用",
  "automatic.down_several": "{name} 及另外 {others} 项服务无法使用",
};
