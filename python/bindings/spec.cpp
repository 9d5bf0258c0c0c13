#include "selection/spec.hpp"

#include "bindings.hpp"
#include "selection/number.hpp"

namespace tutti::bindings {
namespace {

/// SpecError(ValueError) with the attributes `column` (from 1) and `sentence` (the text without the column).
void translate(const std::exception_ptr& failure, void* type) {
  try {
    std::rethrow_exception(failure);
  } catch (const SpecError& error) {
    const nb::handle kind(static_cast<PyObject*>(type));
    nb::object instance = kind(error.what());
    instance.attr("column") = error.column;
    instance.attr("sentence") = error.sentence;
    PyErr_SetObject(kind.ptr(), instance.ptr());
  }
}

nb::object value_of(const Spec::Option& option) {
  if (!option.nested.empty()) return parts_of(option.nested[0]);
  return option.word.empty() ? nb::object(nb::int_(option.number)) : nb::object(nb::str(option.word.c_str()));
}

}  // namespace

nb::dict parts_of(const Spec& spec) {
  nb::dict options, parts;
  nb::list arguments;
  for (const Spec::Option& option : spec.options) options[nb::str(option.name.c_str())] = value_of(option);
  for (const Spec& argument : spec.arguments) arguments.append(parts_of(argument));
  parts["name"] = spec.name, parts["arguments"] = arguments, parts["options"] = options;
  return parts;
}

void add_spec(nb::module_& module) {
  const nb::object error = nb::steal(PyErr_NewExceptionWithDoc(
      "tutti._core.SpecError",
      "A text that is not a spec: one sentence; `column` from 1; `sentence` is the text without the column.",
      PyExc_ValueError, nullptr));
  module.attr("SpecError") = error;
  nb::register_exception_translator(translate, error.ptr());  // the module keeps it

  module.def(
      "parse_spec",
      [](std::string_view text, std::string_view which) { return to_text(parse_spec(text, collective(which))); },
      "text"_a, "collective"_a,
      "Canonical text of a spec.  Raises SpecError, which names the word, the column and the nearest valid name.");
  module.def(
      "spec_parts",
      [](std::string_view text, std::string_view which) { return parts_of(parse_spec(text, collective(which))); },
      "text"_a, "collective"_a,
      "{'name', 'arguments', 'options'} of a spec: arguments are specs, options numbers, words or specs by their "
      "names.");
  module.def(
      "nearest",
      [](const std::string& word, const std::vector<std::string>& words) -> std::optional<std::string> {
        const std::string_view found = nearest(word, {words.begin(), words.end()});
        return found.empty() ? std::nullopt : std::optional(std::string(found));
      },
      "word"_a, "words"_a, "The nearest of the words by edit distance; None where none is near.");
  module.def("parse_size", &parse_number, "text"_a, "Bytes of '64', '64K', '8M', '1G' (1024 each); None for others.");
  module.def("size_text", &size_text, "bytes"_a, "With the largest suffix that divides it: 65536 is '64K'.");
}

}  // namespace tutti::bindings
