// The menu of narrow screens, and the search. The index is loaded when somebody searches first.
(() => {
  const root = document.body.dataset.root || '.';
  const menu = document.getElementById('menu'), nav = document.getElementById('pages');
  const field = document.getElementById('search'), list = document.getElementById('found');

  menu.addEventListener('click', () => menu.setAttribute('aria-expanded', String(nav.classList.toggle('shown'))));
  nav.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });

  // What explains comes before what proves.
  const weightOf = id => (/^(guide|reference|library)\//.test(id) ? 1.5 : /^(conformance|decisions|architecture)\./.test(id) ? 0.5 : 1);

  let index;
  function load() {
    index ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = root + '/assets/index.js';
      script.onload = () => resolve(MiniSearch.loadJSON(window.sxIndex, { fields: ['page', 'heading', 'text'], storeFields: ['page', 'heading', 'begin'] }));
      script.onerror = reject;
      document.head.append(script);
    });
    return index;
  }

  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

  function entry(result) {
    const item = document.createElement('li'), link = document.createElement('a');
    link.href = root + '/' + result.id;
    link.append(element('b', result.heading));
    if (result.page !== result.heading) link.append(' – ' + result.page);
    link.append(element('small', result.begin));
    item.append(link);
    return item;
  }

  let asked = 0;
  async function search() {
    const words = field.value.trim(), number = ++asked;
    list.hidden = !words;
    if (!words) return;
    const found = (await load()).search(words, { prefix: true, combineWith: 'AND', boost: { heading: 4, page: 2 }, boostDocument: weightOf,
                                                 fuzzy: term => (term.length > 5 ? 0.15 : 0) });
    if (number !== asked) return;
    list.replaceChildren(...(found.length ? found.slice(0, 30).map(entry) : [element('p', 'Nothing found.')]));
  }

  field.addEventListener('input', search);
  document.addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape') {
      list.hidden = true;
    } else if (event.key === 'Enter' && document.activeElement === field) {
      list.querySelector('a')?.click();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
      const links = [field, ...list.querySelectorAll('a')];
      const at = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
      links[Math.max(0, Math.min(links.length - 1, at))].focus();
      event.preventDefault();
    }
  });
  document.addEventListener('click', event => { if (!list.contains(event.target) && event.target !== field) list.hidden = true; });
  list.addEventListener('click', () => { list.hidden = true; });

  const words = new URLSearchParams(location.search).get('q'); // page.html?q=WORDS shows what is found
  if (words) {
    field.value = words;
    search();
  }
})();
