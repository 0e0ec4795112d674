import { useData, useRouter, withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue';
import { LANGUAGES, type Language, TEXTS } from '../../src/texts/index.ts';
import { readUntranslated, UNTRANSLATED } from '../../src/untranslated.ts';

/** A notice above the text of a page: a region, because it is outside of the main landmark. */
export const Notice = defineComponent((_, { slots }) => {
  const text = useId();
  return () =>
    h('section', { class: 'kp-notice', 'aria-labelledby': text }, [
      h('p', { id: text }, slots.default?.()),
    ]);
});

/** The notice on an English page that was asked for in another language. */
export const UntranslatedNotice = defineComponent(() => {
  const router = useRouter();
  const asked = ref<Language>();
  const read = (): void => {
    asked.value = readUntranslated(location.search);
  };
  // The address has a query in the browser only.
  onMounted(() => watch(() => router.route.path, read, { immediate: true }));
  return () => {
    if (asked.value === undefined) return undefined;
    const { lang, untranslated } = TEXTS[asked.value];
    return h(Notice, { lang }, () => untranslated);
  };
});

/** The page for an address without a page, in the language of the address. */
export const NotFound = defineComponent(() => {
  const { site } = useData();
  const router = useRouter();
  const language = ref<Language>('en');
  const find = async (): Promise<void> => {
    const [first = '', ...rest] = location.pathname.slice(site.value.base.length).split('/');
    language.value = LANGUAGES.find((each) => each === first) ?? 'en';
    if (language.value === 'en') return;
    // The language menu leads to an address without a page where there is no translation.
    const english = withBase(`/${rest.join('/')}`);
    const answer = await fetch(english.replace(/(?<=\w)(?:\.html)?$/, '.html'), { method: 'HEAD' });
    if (answer.ok) await router.go(`${english}?${UNTRANSLATED}=${language.value}`);
  };
  onMounted(() => watch(() => router.route.path, find, { immediate: true }));
  return () => {
    const { lang, notFound, toStart } = TEXTS[language.value];
    const home = language.value === 'en' ? '/' : `/${language.value}/`;
    return h('div', { class: 'kp-not-found', lang }, [
      h('p', { class: 'kp-not-found-code' }, '404'),
      h('h1', { class: 'kp-not-found-title' }, notFound),
      h('a', { href: withBase(home) }, toStart),
    ]);
  };
});
