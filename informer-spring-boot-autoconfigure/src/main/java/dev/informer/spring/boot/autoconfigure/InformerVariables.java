/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.informer.spring.config.Names;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Environment variables and system properties of the informers. Spring Boot ignores
 * unknown ones: an environment contains variables of others too.
 * <p>
 * All variables that begin with {@code INFORMER_} are properties, apart from those that
 * Kubernetes sets for a Service whose name begins with {@code informer}, and those of the
 * tests of this project. So are variables that differ in one letter from a known one.
 */
public final class InformerVariables {

	private static final String PREFIX = "INFORMER_";

	private static final String OF_TESTS = "INFORMER_TEST_";

	private static final Pattern SERVICE_LINK = Pattern
		.compile("_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT(?:_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)");

	private static final List<List<String>> KEYS = new PropertyTree("informer", InformerProperties.class).keys();

	/** The known variables, first without an underscore in place of a dash. */
	private static final List<List<String>> KNOWN = KEYS.stream()
		.flatMap((key) -> Stream.of(elements(key, ""), elements(key, "_")))
		.distinct()
		.toList();

	private InformerVariables() {
	}

	/**
	 * Check that all variables and system properties are known.
	 * @throws UnboundConfigurationPropertiesException if some are not
	 */
	static void check(Iterable<ConfigurationPropertySource> sources) {
		Set<ConfigurationProperty> unknown = new LinkedHashSet<>();
		for (ConfigurationPropertySource source : sources) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				Stream<ConfigurationPropertyName> names = isVariables(source) ? unknownVariables(iterable)
						: isNamed(source, StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)
								? iterable.stream().filter(InformerVariables::isUnknownProperty) : Stream.empty();
				names.map(source::getConfigurationProperty).filter(Objects::nonNull).forEach(unknown::add);
			}
		}
		if (!unknown.isEmpty()) {
			throw new UnboundConfigurationPropertiesException(unknown);
		}
	}

	private static Stream<ConfigurationPropertyName> unknownVariables(IterableConfigurationPropertySource source) {
		// Spring Boot has several names of one variable; the one with the most elements
		// is used
		Map<String, ConfigurationPropertyName> variables = source.stream()
			.sorted(Comparator.comparing(ConfigurationPropertyName::getNumberOfElements).reversed())
			.collect(Collectors.toMap(InformerVariables::variable, (name) -> name, (first, second) -> first,
					LinkedHashMap::new));
		return variables.entrySet()
			.stream()
			.filter((entry) -> isUnknown(entry.getKey()) && !isServiceLink(entry.getKey(), variables.keySet()))
			.map(Map.Entry::getValue);
	}

	private static boolean isUnknown(String variable) {
		if (variable.contains(".") || variable.startsWith(OF_TESTS)) {
			return false;
		}
		return (variable.startsWith(PREFIX) && KNOWN.stream().noneMatch((known) -> matches(known, variable)))
				|| (!variable.startsWith(PREFIX) && isSimilarToPrefix(variable)
						&& KNOWN.stream().anyMatch((known) -> known.size() > 1 && distance(known, variable) <= 1));
	}

	private static boolean isSimilarToPrefix(String variable) {
		return IntStream.rangeClosed(PREFIX.length() - 1, PREFIX.length() + 1)
			.filter((length) -> length <= variable.length())
			.anyMatch((length) -> Names.distance(variable.substring(0, length), PREFIX) <= 1);
	}

	private static boolean matches(List<String> known, String variable) {
		String[] elements = variable.split("_", -1);
		return elements.length == known.size()
				&& IntStream.range(0, elements.length).allMatch((index) -> matches(known.get(index), elements[index]));
	}

	private static boolean matches(String known, String element) {
		return switch (known) {
			case "*" -> !element.isEmpty();
			case "0" -> element.matches("[0-9]+");
			default -> known.equals(element);
		};
	}

	private static int distance(List<String> known, String variable) {
		return Names.distance(variable, String.join("_", known));
	}

	private static boolean isUnknownProperty(ConfigurationPropertyName name) {
		return name.getNumberOfElements() > 1 && name.getElement(0, Form.UNIFORM).equals("informer")
				&& KEYS.stream().map((key) -> elements(key, "")).noneMatch((known) -> matches(known, name));
	}

	private static boolean matches(List<String> known, ConfigurationPropertyName name) {
		return name.getNumberOfElements() == known.size() && IntStream.range(0, known.size())
			.allMatch((index) -> matches(known.get(index),
					name.getElement(index, Form.UNIFORM).toUpperCase(Locale.ROOT)));
	}

	private static List<String> elements(List<String> key, String dash) {
		return key.stream()
			.flatMap((element) -> Arrays.stream(element.replace("-", dash).split("_")))
			.map((element) -> element.toUpperCase(Locale.ROOT))
			.toList();
	}

	/**
	 * Find the variables that Kubernetes has set for a Service such as
	 * {@code informer-handlers}.
	 */
	static Set<String> serviceLinks(Iterable<ConfigurationPropertySource> sources) {
		Set<String> variables = new LinkedHashSet<>();
		for (ConfigurationPropertySource source : sources) {
			if (isVariables(source) && source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream().map(InformerVariables::variable).forEach(variables::add);
			}
		}
		return variables.stream().filter((each) -> isServiceLink(each, variables)).collect(Collectors.toSet());
	}

	private static boolean isServiceLink(String variable, Set<String> variables) {
		return variable.startsWith(PREFIX) && IntStream.range(0, variable.length())
			.filter((index) -> SERVICE_LINK.matcher(variable.substring(index)).matches())
			.mapToObj((index) -> variable.substring(0, index))
			.anyMatch((service) -> variables.contains(service + "_SERVICE_HOST")
					&& variables.contains(service + "_SERVICE_PORT"));
	}

	/**
	 * Return whether a source has the environment variables.
	 * @param source the source
	 * @return whether its properties are variables
	 */
	public static boolean isVariables(ConfigurationPropertySource source) {
		return isNamed(source, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
	}

	private static boolean isNamed(ConfigurationPropertySource source, String name) {
		return source.getUnderlyingSource() instanceof PropertySource<?> underlying
				&& underlying.getName().equals(name);
	}

	/**
	 * Return the variable of a name.
	 * @param name the name of a property whose source has the environment variables
	 * @return the variable in capital letters
	 */
	public static String variable(ConfigurationPropertyName name) {
		return IntStream.range(0, name.getNumberOfElements())
			.mapToObj((index) -> name.getElement(index, Form.ORIGINAL).replace("-", ""))
			.collect(Collectors.joining("_"))
			.toUpperCase(Locale.ROOT);
	}

	/**
	 * Find the known variable that is most similar to an unknown one.
	 * @param variable the unknown variable
	 * @return the nearest variable within a third of its length
	 */
	public static Optional<String> nearest(String variable) {
		return KNOWN.stream()
			.filter(InformerVariables::takesValue)
			.filter((known) -> distance(known, variable) <= variable.length() / 3)
			.min(Comparator.comparingInt((known) -> distance(known, variable)))
			.map((known) -> fill(known, variable.split("_", -1)));
	}

	private static boolean takesValue(List<String> known) {
		return KNOWN.stream()
			.noneMatch((other) -> other.size() == known.size() + 1 && other.subList(0, known.size()).equals(known)
					&& !other.get(known.size()).equals("0"));
	}

	/**
	 * Put the names of informers and such, and the indices, of a variable into a known
	 * one.
	 */
	private static String fill(List<String> known, String[] elements) {
		return IntStream.range(0, known.size()).mapToObj((index) -> switch (known.get(index)) {
			case "*", "0" ->
				(elements.length == known.size()) ? elements[index] : known.get(index).replace("*", "<NAME>");
			default -> known.get(index);
		}).collect(Collectors.joining("_"));
	}

}
