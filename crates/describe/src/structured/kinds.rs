//! What the types of schema.org mean for the question which thing a page is about.
//!
//! The vocabulary has some eight hundred types; the lists here hold those that pages really use
//! for the thing they are about, and count every unknown type as a thing among others.

/// How likely a thing of some type is what the page is about; the larger the likelier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// Furniture of the page: crumbs, search boxes, pictures.
    Never,
    Body,
    Page,
    Work,
}

const ARTICLES: &[&str] = &[
    "Article",
    "AdvertiserContentArticle",
    "AnalysisNewsArticle",
    "AskPublicNewsArticle",
    "BackgroundNewsArticle",
    "BlogPosting",
    "DiscussionForumPosting",
    "LiveBlogPosting",
    "MedicalScholarlyArticle",
    "NewsArticle",
    "OpinionNewsArticle",
    "Report",
    "ReportageNewsArticle",
    "ReviewNewsArticle",
    "SatiricalArticle",
    "ScholarlyArticle",
    "SocialMediaPosting",
    "TechArticle",
];

const OTHER_WORKS: &[&str] = &[
    "Book",
    "Chapter",
    "Course",
    "CourseInstance",
    "Dataset",
    "DigitalDocument",
    "HowTo",
    "JobPosting",
    "LearningResource",
    "Manuscript",
    "Movie",
    "PodcastEpisode",
    "PresentationDigitalDocument",
    "PublicationIssue",
    "Recipe",
    "ResearchProject",
    "SoftwareApplication",
    "SoftwareSourceCode",
    "Thesis",
];

const EVENTS: &[&str] = &[
    "Event",
    "BusinessEvent",
    "ConferenceEvent",
    "EducationEvent",
    "ExhibitionEvent",
    "Festival",
    "LiteraryEvent",
    "MusicEvent",
    "TheaterEvent",
];

const PAGES: &[&str] = &[
    "WebPage",
    "AboutPage",
    "CheckoutPage",
    "CollectionPage",
    "ContactPage",
    "FAQPage",
    "ItemPage",
    "MedicalWebPage",
    "ProfilePage",
    "QAPage",
    "SearchResultsPage",
];

const ORGANISATIONS: &[&str] = &[
    "Organization",
    "Corporation",
    "CollegeOrUniversity",
    "EducationalOrganization",
    "GovernmentOrganization",
    "Library",
    "LocalBusiness",
    "Museum",
    "NewsMediaOrganization",
    "NGO",
    "OnlineStore",
    "ProfessionalService",
    "ResearchOrganization",
    "School",
    "SportsOrganization",
];

const NEVER: &[&str] = &[
    "AggregateRating",
    "Answer",
    "BreadcrumbList",
    "Comment",
    "ContactPoint",
    "ImageObject",
    "ItemList",
    "ListItem",
    "Offer",
    "Question",
    "Rating",
    "Review",
    "SearchAction",
    "SiteNavigationElement",
    "WPFooter",
    "WPHeader",
    "WPSideBar",
    "WebSite",
];

/// Properties whose values are other things, or what other people said.
const ASIDE: &[&str] = &[
    "about",
    "acceptedAnswer",
    "associatedArticle",
    "blogPost",
    "blogPosts",
    "citation",
    "comment",
    "comments",
    "hasPart",
    "isBasedOn",
    "isRelatedTo",
    "isSimilarTo",
    "itemListElement",
    "mentions",
    "relatedLink",
    "review",
    "reviews",
    "subjectOf",
    "suggestedAnswer",
    "workTranslation",
];

/// Properties whose value is an address even where a text stands beside it.
const ADDRESSES: &[&str] = &[
    "contentUrl",
    "discussionUrl",
    "embedUrl",
    "image",
    "license",
    "logo",
    "mainEntityOfPage",
    "sameAs",
    "thumbnailUrl",
    "url",
];

pub(crate) fn rank(types: &[String]) -> Rank {
    types.iter().map(|name| rank_of(name)).max().unwrap_or(Rank::Never)
}

fn rank_of(name: &str) -> Rank {
    if [ARTICLES, OTHER_WORKS, EVENTS].iter().any(|list| list.contains(&name)) {
        Rank::Work
    } else if PAGES.contains(&name) {
        Rank::Page
    } else if NEVER.contains(&name) {
        Rank::Never
    } else {
        Rank::Body
    }
}

/// Whether a thing of type `name` is one of type `asked`: the same, or a kind of it.
pub(crate) fn is_kind_of(name: &str, asked: &str) -> bool {
    let kinds: &[&[&str]] = match asked {
        "CreativeWork" => &[ARTICLES, OTHER_WORKS, PAGES],
        "Article" => &[ARTICLES],
        "WebPage" => &[PAGES],
        "Event" => &[EVENTS],
        "Organization" => &[ORGANISATIONS],
        _ => &[],
    };
    name.eq_ignore_ascii_case(asked) || kinds.iter().any(|list| list.contains(&name))
}

pub(crate) fn leads_aside(property: &str) -> bool {
    ASIDE.contains(&property)
}

pub(crate) fn expects_address(property: &str) -> bool {
    ADDRESSES.contains(&property)
}

/// `Article` of `http://schema.org/Article`, `schema:Article` or `https://schema.org#Article`.
pub(crate) fn local_name(name: &str) -> &str {
    let name = name.trim().trim_end_matches('/');
    name.rsplit(['/', '#', ':']).next().unwrap_or(name)
}
