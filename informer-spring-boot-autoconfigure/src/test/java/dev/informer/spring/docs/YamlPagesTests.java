/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.spring.config.InformerProperties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Binds the properties that the documentation shows as YAML.
 */
class YamlPagesTests {

	/**
	 * Classes of users stand in the documentation, but not on the class path.
	 */
	private static final PlaceholdersResolver KNOWN_CLASSES = (value) -> "com.example.Tenant".equals(value)
			? YamlPagesTests.class.getName() : value;

	@ParameterizedTest
	@MethodSource("pages")
	void yaml_isBoundToProperties(Page page) throws IOException {
		for (String block : page.blocks("yaml")) {
			for (PropertySource<?> source : new YamlPropertySourceLoader().load(page.name(),
					new ByteArrayResource(block.getBytes(StandardCharsets.UTF_8)))) {
				MapPropertySource properties = (MapPropertySource) source;
				if (Stream.of(properties.getPropertyNames()).anyMatch((name) -> name.startsWith("informer."))) {
					assertThat(bind(properties)).as("%s", block).isNotNull();
				}
			}
		}
	}

	private static InformerProperties bind(MapPropertySource properties) {
		ConfigurationPropertySource source = ConfigurationPropertySource.from(properties);
		assertThat(source).isNotNull();
		return new Binder(List.of(source), KNOWN_CLASSES)
			.bind("informer", Bindable.of(InformerProperties.class),
					new NoUnboundElementsBindHandler(BindHandler.DEFAULT))
			.get();
	}

	static Stream<Page> pages() {
		return Page.all().stream();
	}

}
