//! Finds things in a picture: text, objects, colours and shapes.
