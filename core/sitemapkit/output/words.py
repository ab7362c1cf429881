# ruff: noqa: RUF001 - letters of many alphabets
"""The words of the sitemap that people read, in the languages that we know them in."""

from __future__ import annotations

from dataclasses import dataclass

_RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi"})


@dataclass(frozen=True, slots=True)
class Words:
    """All texts of the page; `{n}` stands for a number."""

    language: str
    """Language code of the site, as HTML wants it."""

    spoken: str
    """Language code of these words: English where we have no others."""

    title: str
    pages: str
    search: str
    sort: str
    by_path: str
    by_date: str
    freshness: str
    earlier: str
    top_level: str
    others: str
    page: str
    path: str
    last_change: str
    unknown: str
    nothing: str
    more: str
    skip: str
    month: str

    @property
    def direction(self) -> str:
        """The direction of writing: `ltr` or `rtl`."""
        return "rtl" if self.language.partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


# In the order of the fields, from `title` on.
_TEXTS = {
    "en": (
        *("Site map", "{n} pages", "Search titles and paths", "Sort by", "path", "last change"),
        *("Pages by month of last change", "earlier", "top level", "other sections"),
        *("Page", "Path", "Last change", "not known", "No page matches."),
        *("Part", "Skip to the pages", "Month"),
    ),
    "de": (
        *("Seitenübersicht", "{n} Seiten", "Titel und Pfade durchsuchen", "Sortieren nach", "Pfad"),
        *("letzter Änderung", "Seiten nach Monat der letzten Änderung", "früher", "oberste Ebene"),
        *("andere Bereiche", "Seite", "Pfad", "Letzte Änderung", "unbekannt"),
        *("Keine Seite passt.", "Teil", "Zu den Seiten springen", "Monat"),
    ),
    "fr": (
        *("Plan du site", "{n} pages", "Chercher dans les titres et les chemins", "Trier par"),
        *("chemin", "dernière modification", "Pages par mois de dernière modification"),
        *("avant", "premier niveau", "autres rubriques", "Page", "Chemin"),
        *("Dernière modification", "inconnue", "Aucune page ne correspond.", "Partie"),
        *("Aller aux pages", "Mois"),
    ),
    "es": (
        *("Mapa del sitio", "{n} páginas", "Buscar en títulos y rutas", "Ordenar por", "ruta"),
        *("último cambio", "Páginas por mes del último cambio", "antes", "nivel superior"),
        *("otras secciones", "Página", "Ruta", "Último cambio", "desconocido"),
        *("Ninguna página coincide.", "Parte", "Saltar a las páginas", "Mes"),
    ),
    "it": (
        *("Mappa del sito", "{n} pagine", "Cerca nei titoli e nei percorsi", "Ordina per"),
        *("percorso", "ultima modifica", "Pagine per mese dell'ultima modifica", "prima"),
        *("livello principale", "altre sezioni", "Pagina", "Percorso", "Ultima modifica"),
        *("sconosciuta", "Nessuna pagina corrisponde.", "Parte", "Vai alle pagine", "Mese"),
    ),
    "pt": (
        *("Mapa do site", "{n} páginas", "Pesquisar títulos e caminhos", "Ordenar por", "caminho"),
        *("última alteração", "Páginas por mês da última alteração", "antes", "nível superior"),
        *("outras secções", "Página", "Caminho", "Última alteração", "desconhecida"),
        *("Nenhuma página corresponde.", "Parte", "Ir para as páginas", "Mês"),
    ),
    "nl": (
        *("Sitemap", "{n} pagina's", "Zoek in titels en paden", "Sorteer op", "pad"),
        *("laatste wijziging", "Pagina's per maand van laatste wijziging", "eerder"),
        *("hoogste niveau", "andere secties", "Pagina", "Pad", "Laatste wijziging", "onbekend"),
        *("Geen pagina gevonden.", "Deel", "Naar de pagina's", "Maand"),
    ),
    "ru": (
        *("Карта сайта", "Страниц: {n}", "Поиск по заголовкам и путям", "Сортировать по"),
        *("пути", "дате изменения", "Страницы по месяцу последнего изменения", "раньше"),
        *("верхний уровень", "другие разделы", "Страница", "Путь", "Последнее изменение"),
        *("неизвестно", "Ничего не найдено.", "Часть", "К страницам", "Месяц"),
    ),
    "ja": (
        *("サイトマップ", "{n} ページ", "タイトルとパスを検索", "並べ替え", "パス", "最終更新"),
        *("最終更新月ごとのページ数", "以前", "トップレベル", "その他のセクション", "ページ"),
        *("パス", "最終更新", "不明", "一致するページはありません。", "パート"),
        *("ページ一覧へ移動", "月"),
    ),
    "zh": (
        *("网站地图", "{n} 个页面", "搜索标题和路径", "排序方式", "路径", "最后修改"),
        *("按最后修改月份统计的页面", "更早", "顶层", "其他栏目", "页面", "路径", "最后修改"),
        *("未知", "没有匹配的页面。", "部分", "跳到页面列表", "月份"),
    ),
    "ar": (
        *("خريطة الموقع", "{n} صفحة", "ابحث في العناوين والمسارات", "ترتيب حسب", "المسار"),
        *("آخر تعديل", "الصفحات حسب شهر آخر تعديل", "قبل ذلك", "المستوى الأعلى", "أقسام أخرى"),
        *("الصفحة", "المسار", "آخر تعديل", "غير معروف", "لا توجد صفحة مطابقة.", "الجزء"),
        *("انتقل إلى الصفحات", "الشهر"),
    ),
    "he": (
        *("מפת האתר", "{n} דפים", "חיפוש בכותרות ובנתיבים", "מיון לפי", "נתיב", "שינוי אחרון"),
        *("דפים לפי חודש השינוי האחרון", "קודם", "רמה עליונה", "מדורים אחרים", "דף", "נתיב"),
        *("שינוי אחרון", "לא ידוע", "אין דף מתאים.", "חלק", "דילוג לדפים", "חודש"),
    ),
}


def words_for(language: str) -> Words:
    """Return the words in the language of a site, or in English where we do not know them."""
    code = language.replace("_", "-") or "en"
    spoken = code.partition("-")[0].lower()
    spoken = spoken if spoken in _TEXTS else "en"
    return Words(code, spoken, *_TEXTS[spoken])
