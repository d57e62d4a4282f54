/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.informer.spring.config.InformerProperties;
import dev.informer.spring.config.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Keys of {@link InformerProperties}, to find properties that would be ignored: values in
 * place of nested properties, and unknown environment variables and system properties,
 * which Spring Boot permits because an environment contains those of others too.
 * <p>
 * All variables that begin with {@code INFORMER_} are properties, apart from those that
 * Kubernetes sets for a Service whose name begins with {@code informer}, and those of the
 * tests of this project. So are variables that differ in one letter from a known one.
 */
public final class KnownProperties {

	static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("informer");

	private static final String VARIABLES_PREFIX = "INFORMER_";

	private static final Pattern SERVICE_LINK = Pattern
		.compile("_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT(?:_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)");

	/**
	 * Keys with {@code *} for the names of informers and such. Those of lists occur with
	 * and without {@code .0}.
	 */
	private static final Set<String> KEYS = keys(PREFIX.toString(), ResolvableType.forClass(InformerProperties.class))
		.collect(Collectors.toCollection(LinkedHashSet::new));

	private static final List<String> VARIABLES = variables(KEYS.stream());

	private static final Pattern VARIABLE = Pattern
		.compile(String.join("|", VARIABLES).replace("*", "[^_]+").replaceAll("_0(?=\\||$)", "_[0-9]+"));

	private KnownProperties() {
	}

	private static Stream<String> keys(String key, ResolvableType type) {
		Stream<String> nested = Stream.empty();
		if (Map.class.isAssignableFrom(type.toClass())) {
			nested = keys(key + ".*", type.getGeneric(1));
		}
		else if (Collection.class.isAssignableFrom(type.toClass())) {
			nested = Stream.of(key + ".0");
		}
		else if (type.toClass().isRecord()) {
			nested = Arrays.stream(type.toClass().getRecordComponents())
				.flatMap((property) -> keys(key + "." + DataObjectPropertyName.toDashedForm(property.getName()),
						ResolvableType.forMethodReturnType(property.getAccessor())));
		}
		return Stream.concat(Stream.of(key), nested);
	}

	/**
	 * Return the variables of keys, first without an underscore in place of a dash.
	 */
	private static List<String> variables(Stream<String> keys) {
		return keys.flatMap((key) -> Stream.of(key.replace("-", ""), key.replace('-', '_')))
			.map((key) -> key.replace('.', '_').toUpperCase(Locale.ROOT))
			.distinct()
			.toList();
	}

	/**
	 * Check that all variables and system properties are known, and that no value is in
	 * place of nested properties.
	 * @throws UnboundConfigurationPropertiesException if there are others
	 */
	static void check(Iterable<ConfigurationPropertySource> sources) {
		Set<String> links = serviceLinks(sources);
		Set<ConfigurationProperty> invalid = new LinkedHashSet<>();
		iterable(sources).forEach((source) -> {
			boolean variables = isNamed(source, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
			boolean system = isNamed(source, StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
			source.stream()
				.filter((name) -> !variables || (isCanonical(name) && !links.contains(variable(name))))
				.filter((name) -> (variables && isUnknown(variable(name)))
						|| (system && PREFIX.isAncestorOf(name) && key(name) == null)
						|| (takesNoValue(name) && !(variables && PREFIX.equals(name))))
				.map(source::getConfigurationProperty)
				.filter((property) -> property != null && !isEmptyKey(property, sources))
				.forEach(invalid::add);
		});
		if (!invalid.isEmpty()) {
			throw new UnboundConfigurationPropertiesException(invalid);
		}
	}

	private static Stream<IterableConfigurationPropertySource> iterable(Iterable<ConfigurationPropertySource> sources) {
		return StreamSupport.stream(sources.spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.map(IterableConfigurationPropertySource.class::cast);
	}

	/**
	 * Return whether a property is a YAML key without content, such as one whose nested
	 * properties are comments. It is permitted unless there are nested properties: the
	 * key {@code informer} of one file has those of others.
	 */
	private static boolean isEmptyKey(ConfigurationProperty property, Iterable<ConfigurationPropertySource> sources) {
		ConfigurationPropertyName name = property.getName();
		return takesNoValue(name) && property.getValue().toString().isEmpty()
				&& (PREFIX.equals(name) || StreamSupport.stream(sources.spliterator(), false)
					.noneMatch((each) -> each.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT));
	}

	private static boolean isNamed(ConfigurationPropertySource source, String name) {
		return source.getUnderlyingSource() instanceof PropertySource<?> underlying
				&& underlying.getName().equals(name);
	}

	/**
	 * Return whether a name has an element for each part of its variable. Spring Boot has
	 * other names of variables too.
	 */
	private static boolean isCanonical(ConfigurationPropertyName name) {
		return variable(name).chars().filter((letter) -> letter == '_').count() == name.getNumberOfElements() - 1;
	}

	private static String variable(ConfigurationPropertyName name) {
		return IntStream.range(0, name.getNumberOfElements())
			.mapToObj((index) -> name.getElement(index, Form.ORIGINAL).replace("-", ""))
			.collect(Collectors.joining("_"))
			.toUpperCase(Locale.ROOT);
	}

	/**
	 * Return the variable that sets a property.
	 * @param property the property
	 * @return the variable in capital letters; {@code null} if it is set otherwise
	 */
	public static @Nullable String variable(ConfigurationProperty property) {
		return (property.getSource() != null
				&& isNamed(property.getSource(), StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME))
						? variable(property.getName()) : null;
	}

	private static boolean isUnknown(String variable) {
		if (variable.contains(".") || variable.startsWith("INFORMER_TEST_")) {
			return false;
		}
		if (variable.startsWith(VARIABLES_PREFIX)) {
			return !VARIABLE.matcher(variable).matches();
		}
		String prefix = variable.substring(0, Math.min(VARIABLES_PREFIX.length(), variable.length()));
		// a letter before its end that is missing moves the next one into the prefix
		return Names.distance(prefix, VARIABLES_PREFIX) <= 2
				&& VARIABLES.stream().anyMatch((known) -> known.contains("_") && Names.distance(variable, known) <= 1);
	}

	/**
	 * Find the variables that Kubernetes has set for a Service such as
	 * {@code informer-handlers}.
	 */
	static Set<String> serviceLinks(Iterable<ConfigurationPropertySource> sources) {
		Set<String> variables = iterable(sources)
			.filter((source) -> isNamed(source, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME))
			.flatMap(IterableConfigurationPropertySource::stream)
			.map(KnownProperties::variable)
			.collect(Collectors.toSet());
		return variables.stream().filter((each) -> isServiceLink(each, variables)).collect(Collectors.toSet());
	}

	private static boolean isServiceLink(String variable, Set<String> variables) {
		return variable.startsWith(VARIABLES_PREFIX) && IntStream.range(0, variable.length())
			.filter((index) -> SERVICE_LINK.matcher(variable.substring(index)).matches())
			.mapToObj((index) -> variable.substring(0, index))
			.anyMatch((service) -> variables.contains(service + "_SERVICE_HOST")
					&& variables.contains(service + "_SERVICE_PORT"));
	}

	/**
	 * Return the properties at and below a name.
	 * @param name the name
	 * @param sources the sources
	 * @return the properties
	 */
	public static List<ConfigurationProperty> below(ConfigurationPropertyName name,
			Iterable<ConfigurationPropertySource> sources) {
		return iterable(sources)
			.flatMap((source) -> source.stream()
				.filter((each) -> name.equals(each) || name.isAncestorOf(each))
				.map(source::getConfigurationProperty)
				.filter(Objects::nonNull))
			.toList();
	}

	/**
	 * Return whether a property that would be ignored is one of informers.
	 * @param property the property
	 * @return whether it is a variable, or {@code informer} or below
	 */
	public static boolean isOfInformers(ConfigurationProperty property) {
		return variable(property) != null || isOfInformers(property.getName());
	}

	/**
	 * Explain why a property would be ignored, and which one may be meant.
	 * @param property the property
	 * @return the explanation
	 */
	public static String explain(ConfigurationProperty property) {
		ConfigurationPropertyName name = property.getName();
		String variable = variable(property);
		if (takesNoValue(name)) {
			Set<String> nested = nested(Objects.requireNonNull(key(name)));
			return "'" + name + "' takes no value. " + (nested.contains("*")
					? "Set properties below '" + name + ".<name>'" : "Set one of its nested properties: " + nested);
		}
		if (PREFIX.isAncestorOf(name) && key(name) != null) {
			return "'" + name
					+ (property.getValue().toString().isEmpty() ? "' is empty: set a value, or remove the property"
							: "' is not read: the indices of a list begin with 0 and have no gaps");
		}
		return (variable != null) ? explainVariable(variable) : explain(name);
	}

	private static String explain(ConfigurationPropertyName name) {
		int index = 1;
		while (key(name.chop(index + 1)) != null) {
			index++;
		}
		ConfigurationPropertyName parent = name.chop(index);
		String element = name.getElement(index, Form.DASHED);
		Set<String> known = nested(Objects.requireNonNull(key(parent)));
		return known.isEmpty() ? "'" + parent + "' takes a value and has no nested properties"
				: "Unknown property '" + element + "' of '" + parent + "'"
						+ Names.nearest(element, known).map((each) -> ", did you mean '" + each + "'?").orElse(".")
						+ " Known properties: " + known;
	}

	private static String explainVariable(String variable) {
		return "Unknown variable '" + variable + "'"
				+ Names.nearest(variable, variables(KEYS.stream().filter((key) -> nested(key).isEmpty())))
					.map((known) -> ", did you mean '" + fill(known.split("_"), variable.split("_")) + "'?")
					.orElse(".")
				+ " Variables that begin with INFORMER_ are properties of informers: "
				+ "remove or rename one that is none.";
	}

	/**
	 * Put the names of informers and such, and the indices, of a variable into a known
	 * one.
	 */
	private static String fill(String[] known, String[] given) {
		return IntStream.range(0, known.length).mapToObj((index) -> switch (known[index]) {
			case "*", "0" -> (given.length == known.length) ? given[index] : known[index].replace("*", "<NAME>");
			default -> known[index];
		}).collect(Collectors.joining("_"));
	}

	private static boolean isOfInformers(ConfigurationPropertyName name) {
		return PREFIX.equals(name) || PREFIX.isAncestorOf(name);
	}

	private static boolean takesNoValue(ConfigurationPropertyName name) {
		String key = isOfInformers(name) ? key(name) : null;
		return key != null && !nested(key).isEmpty();
	}

	/**
	 * Return the key of a name below {@code informer}, or {@code null} if it is unknown.
	 */
	private static @Nullable String key(ConfigurationPropertyName name) {
		String key = PREFIX.toString();
		for (int index = 1; key != null && index < name.getNumberOfElements(); index++) {
			String element = name.getElement(index, Form.UNIFORM);
			String parent = key;
			key = (name.isNumericIndex(index) && KEYS.contains(parent + ".0")) ? parent + ".0"
					: nested(parent).stream()
						.filter((each) -> each.equals("*") || each.replace("-", "").equals(element))
						.findFirst()
						.map((each) -> parent + "." + each)
						.orElse(null);
		}
		return key;
	}

	private static Set<String> nested(String key) {
		return KEYS.stream()
			.filter((each) -> each.startsWith(key + "."))
			.map((each) -> each.substring(key.length() + 1))
			.filter((each) -> !each.contains(".") && !each.equals("0"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
