import type { toolbox as english } from "./en.ts";

export const toolbox: Record<keyof typeof english, string> = {
  "tool.given_up": "该工具耗时过长或占用内存过多，已被停止。请重试。",
  "tool.name": "请输入域名（例如 example.com）或 IP 地址。",
  "tool.inside": "本系统的域名服务器不查询非公开的名称。请指定要查询的域名服务器。",
  "tool.name_server": "请输入域名服务器的地址或名称；端口不是 53 时请一并填写。",
  "tool.dns_failed": "域名服务器 {server} 无法回答 {name}：{rcode:word}。",
  "tool.ports_missing": "自定义扫描需要填写端口，例如 22,80,8000-8100。",
  "tool.ports_custom": "只有自定义扫描才能填写端口。",
  "tool.ports_malformed":
    "请输入 1 到 65535 之间的端口或端口范围，例如 22,80,8000-8100；“{part}”不符合要求。",
  "tool.ports_backwards": "端口范围 {part} 的终点小于起点。",
  "tool.scans": "每个组织最多同时运行 {limit} 个端口扫描。请等待其中一个结束。",
  "rcode.SERVFAIL": "未找到答案（SERVFAIL）",
  "rcode.REFUSED": "拒绝回答（REFUSED）",
  "rcode.NOTIMP": "不支持此类查询（NOTIMP）",
  "rcode.FORMERR": "无法理解查询（FORMERR）",
  "rcode.other": "返回了错误",
};
