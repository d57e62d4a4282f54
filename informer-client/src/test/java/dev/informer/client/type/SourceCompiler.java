/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Compiler of source code in memory into a class loader that nothing keeps.
 */
final class SourceCompiler implements AutoCloseable {

	/** What the sources use: the search in each further archive takes time. */
	private static final String CLASS_PATH = Stream
		.of(KubernetesObject.class, V1ObjectMeta.class, Quantity.class, SerializedName.class, JsonProperty.class)
		.map((type) -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
		.distinct()
		.collect(Collectors.joining(File.pathSeparator));

	private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

	private final StandardJavaFileManager files = this.compiler.getStandardFileManager(null, null, null);

	/**
	 * Compile classes.
	 * @param sources the source code by the name of the public class
	 */
	ClassLoader compile(Map<String, String> sources) {
		Map<String, ByteArrayOutputStream> classes = new HashMap<>();
		JavaFileManager output = new ForwardingJavaFileManager<>(this.files) {

			@Override
			public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
					FileObject sibling) {
				ByteArrayOutputStream bytes = new ByteArrayOutputStream();
				classes.put(name, bytes);
				return new SimpleJavaFileObject(URI.create("mem:///" + name), kind) {

					@Override
					public OutputStream openOutputStream() {
						return bytes;
					}

				};
			}

		};
		List<SimpleJavaFileObject> units = sources.entrySet()
			.stream()
			.map((entry) -> unit(entry.getKey(), entry.getValue()))
			.toList();
		StringWriter messages = new StringWriter();
		List<String> options = List.of("-proc:none", "-nowarn", "-Xlint:none", "-g:none", "-parameters", "-classpath",
				CLASS_PATH);
		if (!this.compiler.getTask(messages, output, null, options, null, units).call()) {
			throw new IllegalStateException("Cannot compile: " + messages);
		}
		return new ClassLoader(getClass().getClassLoader()) {

			@Override
			protected Class<?> findClass(String name) throws ClassNotFoundException {
				ByteArrayOutputStream bytes = classes.get(name);
				if (bytes == null) {
					throw new ClassNotFoundException(name);
				}
				return defineClass(name, bytes.toByteArray(), 0, bytes.size());
			}

		};
	}

	private static SimpleJavaFileObject unit(String name, String source) {
		return new SimpleJavaFileObject(URI.create("mem:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreErrors) {
				return source;
			}

		};
	}

	@Override
	public void close() {
		try {
			this.files.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
