fn main() {
    // ANCHOR: boil
    boil(water);
    // ANCHOR_END: boil
    drink(tea);
}
