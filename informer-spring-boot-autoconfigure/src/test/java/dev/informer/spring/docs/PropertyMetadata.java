/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.informer.spring.config.InformerProperties;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The properties of this module, as the metadata says that its build has generated.
 */
final class PropertyMetadata {

	private static final Map<String, String> MAPS = Map.of("informer.resources", "<name>", "informer.handlers", "<id>",
			"informer.reconcilers", "<id>", "informer.leader.elections", "<name>", "informer.writer.writes", "<name>");

	private final List<DocumentedProperty> properties;

	PropertyMetadata() {
		List<DocumentedProperty> found = new ArrayList<>();
		for (JsonNode property : read("META-INF/spring-configuration-metadata.json").get("properties")) {
			DocumentedProperty documented = DocumentedProperty.of("", property);
			String key = MAPS.get(documented.name());
			if (key == null) {
				found.add(documented);
			}
			else {
				String values = documented.type()
					.substring(documented.type().indexOf(',') + 1, documented.type().lastIndexOf('>'));
				ofValues(documented.name() + "." + key + ".", values).forEach(found::add);
			}
		}
		found.sort(Comparator.comparing(DocumentedProperty::name));
		this.properties = List.copyOf(found);
	}

	private static Stream<DocumentedProperty> ofValues(String prefix, String type) {
		JsonNode metadata = read("META-INF/spring/configuration-metadata/" + type + ".json");
		return metadata.get("properties").valueStream().map((property) -> DocumentedProperty.of(prefix, property));
	}

	/**
	 * Reads a file of the module itself, which may exist in other modules as well.
	 */
	private static JsonNode read(String file) {
		String location = InformerProperties.class.getProtectionDomain().getCodeSource().getLocation().toString();
		try (InputStream input = URI.create(location + file).toURL().openStream()) {
			return JsonMapper.shared().readTree(input);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	List<DocumentedProperty> all() {
		return this.properties;
	}

	/**
	 * Return whether the value of another property is taken when a property is not set.
	 */
	boolean inherits(DocumentedProperty property) {
		String name = property.name()
			.replaceFirst("^informer\\.resources\\.<name>\\.(handler\\.)?", "informer.defaults.")
			.replaceFirst("^informer\\.leader\\.elections\\.<name>\\.(?!lease-name)", "informer.leader.")
			.replaceFirst("^informer\\.reconcilers\\.<id>\\.", "informer.defaults.reconciler.")
			.replaceFirst("^informer\\.handlers\\.<id>\\.", "informer.resources.<name>.handler.");
		return !name.equals(property.name()) && this.properties.stream().anyMatch((each) -> each.name().equals(name));
	}

}
