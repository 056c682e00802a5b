import { markdown, markdownWrappers, type Some, type Wrapper } from './nested-pages.ts';

/** Of what builds pages as components of Vue. */
export const vueLive: Some<string> = [
  ...markdown.live,
  '{{ canary }}',
  '{{ canary',
  '<b :title="canary">x</b>',
  '<b @click="canary()">x</b>',
  '<b v-html="canary"></b>',
  '<component :is="canary" />',
  '<script setup>canary()</script>',
  '<script>canary()</script>',
  '# x {:a="canary"}',
  '# x {onclick="canary()"}',
  '::: tip {{ canary }}\nx\n:::',
  '::: details x {onclick="canary()"}\nx\n:::',
  '```js-vue\n{{ canary }}\n```',
  '```js [{{ canary }}]\nx\n```',
  '::: code-group\n```js [{{ canary }}]\nx\n```\n:::',
  '![{{ canary }}](/x)',
  '[x](/y){:title="canary"}',
  '<b v-pre :title="canary">x</b>{{ canary }}',
];

export const vueWrappers: Some<Wrapper> = [
  ...markdownWrappers,
  (text) => `::: v-pre\n${text}\n:::`,
  (text) => `<span v-pre>${text}</span>`,
  (text) => `<div v-pre>\n\n${text}\n\n</div>`,
  (text) => `<br v-pre>${text}`,
  (text) => `::: details ${text}\nx\n:::`,
  (text) => `::: raw\n${text}\n:::`,
  (text) => `> [!NOTE]\n> ${text}`,
  (text, mark) => `${mark}vue\n${text}\n${mark}`,
  (text, mark) => `${mark}html-vue\n${text}\n${mark}`,
  (text, mark) => `${mark}js{1} [x]\n${text}\n${mark}`,
  (text) => `<template>${text}</template>`,
  (text) => `<style>${text}</style>`,
  (text) => `[[toc]]${text}`,
  (text) => text.replaceAll('<', '\\<'),
  (text) => `x \\\\${text}`,
  (text) => `<p>\n\\${text}\n</p>`,
];
