// Judge a function by vectors: mod runner; runner::check("mdav.json", |records, k| Ok(groups)).
// Records are rows of numbers, groups lists of record numbers; what is invalid must be an Err.
use std::collections::{BTreeSet, HashMap};

pub type Groups = Vec<Vec<usize>>;

#[derive(Clone)]
enum Json { Null, Number(i64), Text(String), List(Vec<Json>), Map(HashMap<String, Json>) }

impl Json {
    fn get(&self, name: &str) -> Option<&Json> {
        if let Json::Map(map) = self { map.get(name) } else { None }
    }
    fn list(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }
    fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }
    fn number(&self) -> i64 {
        if let Json::Number(number) = self { *number } else { -1 }
    }
}

fn value(json: &[char], at: &mut usize) -> Json {
    while " \n\r\t,:".contains(json[*at]) { *at += 1 }
    let first = json[*at];
    let start = *at;
    *at += 1;
    if first == '"' {
        let mut text = String::new();
        while json[*at] != '"' {
            if json[*at] == '\\' { *at += 1 }
            text.push(json[*at]);
            *at += 1;
        }
        *at += 1;
        return Json::Text(text);
    }
    if first == '[' || first == '{' {
        let mut items = Vec::new();
        loop {
            while " \n\r\t,:".contains(json[*at]) { *at += 1 }
            if json[*at] == ']' || json[*at] == '}' { break }
            items.push(value(json, at));
        }
        *at += 1;
        if first == '[' { return Json::List(items) }
        return Json::Map(items.chunks(2).map(|pair| (pair[0].text().to_string(), pair[1].clone())).collect());
    }
    while !",]} \n".contains(json[*at]) { *at += 1 }
    json[start..*at].iter().collect::<String>().parse().map_or(Json::Null, Json::Number)
}

fn number(text: &str) -> f64 { // "7", "-0.25", "4e-2" or "1/3"; NaN if it is none
    let mut parts = text.split('/').map(|part| part.parse().unwrap_or(f64::NAN));
    parts.next().unwrap_or(f64::NAN) / parts.next().unwrap_or(1.0)
}

const SHAPES: [&str; 8] =
    ["kinds", "series", "dissimilarity", "constraints", "strata", "blocks", "sampling_weights", "released"];

fn asked(vector: &Json) -> bool { // tables of numbers, without a scale or a parameter
    let plain = matches!(vector.get("parameters"), Some(Json::Map(map)) if map.is_empty());
    plain && vector.get("standardise").unwrap().text() == "none" && matches!(vector.get("seed"), Some(Json::Null))
        && SHAPES.iter().all(|name| vector.get(name).or(vector.get("expectation").unwrap().get(name)).is_none())
}

fn sets(groups: &[Vec<usize>]) -> BTreeSet<BTreeSet<usize>> { // groups are sets
    groups.iter().map(|group| group.iter().copied().collect()).collect()
}

fn right(vector: &Json, group: &impl Fn(&[Vec<f64>], i64) -> Result<Groups, String>) -> bool {
    let expected = vector.get("expectation").unwrap();
    let rows: Vec<Vec<f64>> = vector.get("records").unwrap().list().iter()
        .map(|row| row.list().iter().map(|cell| number(cell.text())).collect()).collect();
    let answer = group(&rows, vector.get("k").unwrap().number());
    let Ok(groups) = answer else { return expected.get("kind").unwrap().text() == "reject" };
    if expected.get("kind").unwrap().text() == "reject" { return false }
    let mut all: Vec<usize> = groups.concat();
    all.sort();
    if all != (0..rows.len()).collect::<Vec<_>>() { return false }
    if let Some(partitions) = expected.get("partitions") {
        return partitions.list().iter().any(|one| {
            let known: Groups = one.list().iter()
                .map(|group| group.list().iter().map(|record| record.number() as usize).collect()).collect();
            sets(&known) == sets(&groups)
        });
    }
    let least = expected.get("least").unwrap().number() as usize;
    let greatest = expected.get("greatest").map_or(rows.len(), |most| most.number() as usize);
    groups.iter().all(|g| g.len() >= least && g.len() <= greatest)
}

pub fn check(file: &str, group: impl Fn(&[Vec<f64>], i64) -> Result<Groups, String>) -> bool {
    let json: Vec<char> = std::fs::read_to_string(file).expect("a file of vectors").chars().collect();
    let whole = value(&json, &mut 0);
    let vectors: Vec<&Json> = whole.get("vectors").unwrap().list().iter().filter(|one| asked(one)).collect();
    let wrong: Vec<&&Json> = vectors.iter().filter(|one| !right(one, &group)).collect();
    for one in &wrong { println!("wrong: {}", one.get("id").unwrap().text()) }
    println!("{} passed, {} failed", vectors.len() - wrong.len(), wrong.len());
    wrong.is_empty() && !vectors.is_empty()
}
