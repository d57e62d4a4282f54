/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.kubeconfig.Kubeconfig;
import dev.informer.spring.kubeconfig.KubeconfigContext;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * {@link ClusterSource} for a kubeconfig: the one of the properties, or the files of
 * {@code $KUBECONFIG}, merged, or {@code ~/.kube/config}.
 */
final class KubeconfigSource implements ClusterSource {

	private final @Nullable File configured;

	private final @Nullable String context;

	private final UnaryOperator<@Nullable String> environment;

	private final File home;

	KubeconfigSource(@Nullable File configured, @Nullable String context, UnaryOperator<@Nullable String> environment,
			File home) {
		this.configured = configured;
		this.context = context;
		this.environment = environment;
		this.home = home;
	}

	@Override
	public @Nullable Cluster find(List<String> locations) {
		if (this.configured != null) {
			return fromProperty(this.configured, locations);
		}
		locations.add("property 'informer.connection.kubeconfig': not set");
		String variable = this.environment.apply("KUBECONFIG");
		if (!StringUtils.hasText(variable)) {
			locations.add("$KUBECONFIG: not set");
			return fromFiles("", List.of(new File(this.home, ".kube/config")), locations);
		}
		List<File> files = Pattern.compile(Pattern.quote(File.pathSeparator))
			.splitAsStream(variable)
			.filter(StringUtils::hasText)
			.map(File::new)
			.toList();
		return fromFiles("$KUBECONFIG, ", files, locations);
	}

	private Cluster fromProperty(File file, List<String> locations) {
		Cluster cluster = fromFiles("", List.of(file), locations);
		if (cluster == null) {
			throw new InvalidInformerPropertyException("informer.connection.kubeconfig", String.join("; ", locations),
					"Specify an existing kubeconfig with a current context, or remove the property.");
		}
		return cluster;
	}

	private @Nullable Cluster fromFiles(String origin, List<File> files, List<String> locations) {
		List<Path> existing = new ArrayList<>();
		for (File file : files) {
			if (file.isFile()) {
				existing.add(file.toPath());
			}
			else {
				locations.add(origin + "kubeconfig " + file + ": no such file");
			}
		}
		if (existing.isEmpty()) {
			return null;
		}
		String place = origin + "kubeconfig " + existing.stream().map(Path::toString).collect(Collectors.joining(", "));
		Kubeconfig kubeconfig = Kubeconfig.read(existing);
		String name = contextName(kubeconfig, place);
		if (name == null) {
			locations.add(place + ": no current context");
			return null;
		}
		KubeconfigContext selected = kubeconfig.context(name);
		return new Cluster(place, selected.namespace(),
				() -> new KubeconfigConnection(selected, this.environment).settings());
	}

	private @Nullable String contextName(Kubeconfig kubeconfig, String place) {
		if (this.context == null) {
			return kubeconfig.currentContext();
		}
		if (!kubeconfig.contexts().contains(this.context)) {
			throw new InvalidInformerPropertyException("informer.connection.context",
					place + " has no context '" + this.context + "'", "Use one of " + kubeconfig.contexts() + ".");
		}
		return this.context;
	}

}
