//! What the detectors can name, and the words people use for it.

/// One kind of thing, whichever network names it. An index into [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Class(u8);

/// Names with other words for the same. The first eighty stand in the order of COCO's classes, the rest are
/// those that only the Open Images network knows.
const NAMES: [(&str, &[&str]); 88] = [
    (
        "person",
        &[
            "human",
            "human being",
            "man",
            "woman",
            "boy",
            "girl",
            "child",
            "kid",
            "lady",
            "guy",
            "pedestrian",
            "passer-by",
            "somebody",
            "someone",
            "baby",
            "player",
            "worker",
        ],
    ),
    ("bicycle", &["bike", "push bike", "pushbike", "cycle"]),
    ("car", &["automobile", "taxi", "cab", "sedan"]),
    (
        "motorcycle",
        &["motorbike", "motor bike", "moped", "motor scooter", "bike"],
    ),
    (
        "airplane",
        &["aeroplane", "plane", "aircraft", "jet", "airliner"],
    ),
    ("bus", &["coach", "minibus"]),
    ("train", &["locomotive", "railway train"]),
    ("truck", &["lorry", "pickup", "pick-up"]),
    (
        "boat",
        &[
            "ship",
            "vessel",
            "yacht",
            "ferry",
            "canoe",
            "kayak",
            "sailboat",
            "sailing boat",
            "rowing boat",
            "barge",
        ],
    ),
    (
        "traffic light",
        &["traffic signal", "stop light", "stoplight"],
    ),
    ("fire hydrant", &["hydrant"]),
    ("stop sign", &[]),
    ("parking meter", &[]),
    ("bench", &["park bench"]),
    (
        "bird",
        &[
            "pigeon", "gull", "seagull", "duck", "parrot", "sparrow", "goose", "swan", "crow",
        ],
    ),
    ("cat", &["kitten", "kitty", "pussycat", "tomcat"]),
    (
        "dog",
        &["puppy", "doggy", "hound", "spaniel", "terrier", "retriever"],
    ),
    ("horse", &["pony", "foal", "mare", "stallion"]),
    ("sheep", &["lamb", "ewe", "ram"]),
    ("cow", &["cattle", "bull", "calf", "ox"]),
    ("elephant", &[]),
    ("bear", &[]),
    ("zebra", &[]),
    ("giraffe", &[]),
    ("backpack", &["rucksack", "knapsack", "school bag"]),
    ("umbrella", &["parasol"]),
    ("handbag", &["purse", "shoulder bag"]),
    ("tie", &["necktie"]),
    ("suitcase", &["luggage", "trolley case"]),
    ("frisbee", &[]),
    ("skis", &["ski"]),
    ("snowboard", &[]),
    (
        "ball",
        &[
            "sports ball",
            "football",
            "soccer ball",
            "basketball",
            "tennis ball",
            "volleyball",
            "baseball",
        ],
    ),
    ("kite", &[]),
    ("baseball bat", &["bat"]),
    ("baseball glove", &[]),
    ("skateboard", &[]),
    ("surfboard", &[]),
    ("tennis racket", &["racket", "racquet", "tennis racquet"]),
    ("bottle", &["flask", "water bottle", "wine bottle"]),
    ("wine glass", &["goblet", "glass"]),
    (
        "cup",
        &[
            "mug",
            "coffee cup",
            "teacup",
            "tea cup",
            "coffee mug",
            "beaker",
            "glass",
        ],
    ),
    ("fork", &[]),
    ("knife", &[]),
    ("spoon", &["teaspoon", "tablespoon"]),
    ("bowl", &["dish"]),
    ("banana", &[]),
    ("apple", &[]),
    ("sandwich", &["burger", "hamburger"]),
    ("orange", &[]),
    ("broccoli", &[]),
    ("carrot", &[]),
    ("hot dog", &["hotdog"]),
    ("pizza", &[]),
    ("donut", &["doughnut"]),
    ("cake", &[]),
    ("chair", &["armchair", "stool", "seat"]),
    ("couch", &["sofa", "settee"]),
    (
        "potted plant",
        &["pot plant", "houseplant", "house plant", "plant"],
    ),
    ("bed", &[]),
    ("table", &["dining table", "coffee table"]),
    ("toilet", &["lavatory"]),
    (
        "tv",
        &[
            "television",
            "tv set",
            "monitor",
            "computer monitor",
            "computer screen",
            "telly",
        ],
    ),
    ("laptop", &["notebook computer", "laptop computer"]),
    ("mouse", &["computer mouse"]),
    ("remote control", &["remote", "tv remote"]),
    ("keyboard", &["computer keyboard"]),
    (
        "phone",
        &[
            "cell phone",
            "mobile phone",
            "mobile",
            "cellphone",
            "smartphone",
            "telephone",
        ],
    ),
    ("microwave", &["microwave oven"]),
    ("oven", &["stove", "cooker"]),
    ("toaster", &[]),
    ("sink", &["washbasin", "wash basin", "basin"]),
    ("refrigerator", &["fridge", "freezer"]),
    ("book", &["textbook", "paperback"]),
    ("clock", &["wall clock", "alarm clock"]),
    ("vase", &[]),
    ("scissors", &["pair of scissors"]),
    ("teddy bear", &["teddy", "stuffed toy", "soft toy"]),
    ("hair dryer", &["hair drier", "hairdryer", "hairdrier"]),
    ("toothbrush", &[]),
    ("boot", &[]),
    ("desk", &[]),
    ("box", &["carton", "cardboard box"]),
    (
        "exercise bike",
        &["stationary bicycle", "stationary bike", "exercise bicycle"],
    ),
    ("high heels", &["high heel", "high-heeled shoe"]),
    ("vehicle", &[]),
    ("shoe", &["footwear", "sneaker", "trainer", "sandal"]),
    ("camera", &["photo camera"]),
];

const COCO: usize = 80;

/// The classes of the Open Images network, in its order, by our names.
const OPEN_IMAGES: [&str; 23] = [
    "bicycle",
    "boot",
    "laptop",
    "person",
    "chair",
    "cow",
    "desk",
    "cat",
    "mouse",
    "tv",
    "box",
    "cup",
    "cup",
    "exercise bike",
    "table",
    "bottle",
    "high heels",
    "vehicle",
    "shoe",
    "dog",
    "book",
    "camera",
    "car",
];

/// Words for a whole family.
const FAMILIES: [(&[&str], &[&str]); 17] = [
    (
        &["animal", "pet", "creature", "beast"],
        &[
            "bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe",
        ],
    ),
    (
        &["vehicle"],
        &[
            "vehicle",
            "car",
            "bus",
            "truck",
            "motorcycle",
            "bicycle",
            "train",
            "boat",
            "airplane",
        ],
    ),
    (&["van"], &["car", "truck", "vehicle"]),
    (
        &["furniture", "piece of furniture"],
        &["chair", "couch", "bed", "table", "desk", "bench"],
    ),
    (&["fruit", "piece of fruit"], &["banana", "apple", "orange"]),
    (&["vegetable"], &["broccoli", "carrot"]),
    (
        &["food", "snack"],
        &[
            "banana", "apple", "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza",
            "donut", "cake",
        ],
    ),
    (&["cutlery", "silverware"], &["fork", "knife", "spoon"]),
    (&["bag"], &["backpack", "handbag", "suitcase"]),
    (&["computer"], &["laptop", "tv"]),
    (&["screen", "display"], &["tv", "laptop", "phone"]),
    (
        &["appliance"],
        &["microwave", "oven", "toaster", "refrigerator"],
    ),
    (&["shoe", "footwear"], &["shoe", "boot", "high heels"]),
    (&["desk", "table"], &["table", "desk"]),
    (&["drink", "coffee", "tea"], &["cup"]),
    (&["container"], &["bottle", "cup", "bowl", "box", "vase"]),
    (&["toy"], &["teddy bear", "ball", "kite", "frisbee"]),
];

impl Class {
    /// Its English name, singular, lower case.
    pub(super) fn name(self) -> &'static str {
        NAMES.get(usize::from(self.0)).map_or("thing", |n| n.0)
    }

    fn by_name(name: &str) -> Option<Self> {
        let index = NAMES.iter().position(|(n, _)| *n == name)?;
        u8::try_from(index).ok().map(Self)
    }

    /// Whether the COCO network could have said this.
    pub(super) fn in_coco(self) -> bool {
        usize::from(self.0) < COCO
    }

    /// Whether the Open Images network could have said this.
    pub(super) fn in_open_images(self) -> bool {
        OPEN_IMAGES.contains(&self.name())
    }

    /// Whether one of the two is a word for a family that the other belongs to, or they are easily taken for
    /// each other without being wrong about the thing.
    pub(super) fn kin(self, other: Self) -> bool {
        let (a, b) = (self.name(), other.name());
        let both = |list: &[&str]| list.contains(&a) && list.contains(&b);
        a == b
            || both(&["vehicle", "car", "bus", "truck", "train"])
            || both(&["vehicle", "motorcycle", "boat", "airplane"])
            || both(&["shoe", "boot", "high heels"])
            || both(&["table", "desk"])
            || both(&["cup", "wine glass", "bowl"])
            || both(&["bicycle", "exercise bike"])
            || both(&["tv", "laptop"])
    }

    /// A family's word rather than a kind's.
    pub(super) fn broad(self) -> bool {
        matches!(self.name(), "vehicle" | "shoe")
    }
}

/// The class with this place in COCO's list.
pub(super) fn of_coco(index: usize) -> Option<Class> {
    (index < COCO)
        .then(|| u8::try_from(index).ok().map(Class))
        .flatten()
}

/// The class with this place in the Open Images network's list, "nothing" not counted.
pub(super) fn of_open_images(index: usize) -> Option<Class> {
    Class::by_name(OPEN_IMAGES.get(index)?)
}

/// All names, in no order that means anything.
#[cfg(test)]
pub(super) fn names() -> Vec<&'static str> {
    NAMES.iter().map(|n| n.0).collect()
}

/// The classes a word stands for: a name, another word for it, a family ("animal"), in singular or plural.
pub(super) fn meant(word: &str) -> Vec<&'static str> {
    let word = word.trim().to_lowercase().replace(['_', '-'], " ");
    let mut forms = vec![word.clone()];
    forms.extend(singulars(&word));
    for form in forms {
        let mut found: Vec<&'static str> = Vec::new();
        let mut add = |name: &'static str| {
            if !found.contains(&name) {
                found.push(name);
            }
        };
        for (name, others) in NAMES {
            if name == form || others.iter().any(|o| o.replace('-', " ") == form) {
                add(name);
            }
        }
        for (words, members) in FAMILIES {
            if words.contains(&form.as_str()) {
                members.iter().for_each(|m| add(m));
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// What the singular of a plural's last word may be, likeliest first.
fn singulars(word: &str) -> Vec<String> {
    const ODD: [(&str, &str); 14] = [
        ("people", "person"),
        ("persons", "person"),
        ("men", "man"),
        ("women", "woman"),
        ("children", "child"),
        ("mice", "mouse"),
        ("geese", "goose"),
        ("knives", "knife"),
        ("oxen", "ox"),
        ("calves", "calf"),
        ("buses", "bus"),
        ("benches", "bench"),
        ("glasses", "glass"),
        ("skis", "skis"),
    ];
    let (head, last) = match word.rsplit_once(' ') {
        Some((head, last)) => (format!("{head} "), last),
        None => (String::new(), word),
    };
    if let Some((_, one)) = ODD.iter().find(|(many, _)| *many == last) {
        return vec![format!("{head}{one}")];
    }
    let mut forms = Vec::new();
    if let Some(stem) = last.strip_suffix("ies") {
        forms.push(format!("{head}{stem}y"));
    }
    if let Some(stem) = last.strip_suffix('s').filter(|stem| !stem.ends_with('s')) {
        forms.push(format!("{head}{stem}"));
    }
    if let Some(stem) = last.strip_suffix("es") {
        forms.push(format!("{head}{stem}"));
    }
    forms
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[test]
    fn a_word_stands_for_the_classes_people_mean() {
        for (word, class) in [
            ("ship", "boat"),
            ("Aeroplane", "airplane"),
            ("people", "person"),
            ("women", "person"),
            ("puppies", "dog"),
            ("buses", "bus"),
            ("sofas", "couch"),
            ("computer mice", "mouse"),
            ("boxes", "box"),
            ("mugs", "cup"),
            ("pick-up", "truck"),
            ("scissors", "scissors"),
            ("sheep", "sheep"),
            ("knives", "knife"),
            ("coffee cup", "cup"),
            ("glasses", "cup"),
        ] {
            assert!(meant(word).contains(&class), "{word}: {:?}", meant(word));
        }
        assert!(meant("animals").len() > 8);
        assert_eq!(meant("bike"), ["bicycle", "motorcycle"]);
    }

    #[test]
    fn a_word_for_what_no_network_knows_stands_for_nothing() {
        for word in [
            "helicopter",
            "knob",
            "butterfly",
            "window",
            "",
            "s",
            "the",
            "flower",
        ] {
            assert!(meant(word).is_empty(), "{word}: {:?}", meant(word));
        }
    }

    #[test]
    fn every_family_and_every_network_class_has_a_name() {
        for name in FAMILIES.iter().flat_map(|f| f.1).chain(&OPEN_IMAGES) {
            assert!(Class::by_name(name).is_some(), "{name}");
        }
        assert_eq!(of_coco(16).unwrap().name(), "dog");
        assert_eq!(of_coco(79).unwrap().name(), "toothbrush");
        assert!(of_coco(80).is_none() && of_open_images(23).is_none());
        assert_eq!(of_open_images(19).unwrap().name(), "dog");
    }
}
