/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.boot.autoconfigure.InformerProperties.Connection;
import org.jspecify.annotations.Nullable;

/**
 * {@link KubernetesConnectionDetails} from {@code informer.connection.url} and related
 * properties.
 */
class PropertiesKubernetesConnectionDetails implements KubernetesConnectionDetails {

	private static final String PEM = "-----BEGIN";

	private final Connection properties;

	private final String url;

	PropertiesKubernetesConnectionDetails(Connection properties, String url) {
		this.properties = properties;
		this.url = url;
	}

	@Override
	public String getUrl() {
		return this.url;
	}

	@Override
	public @Nullable String getCaCertificate() {
		String certificate = this.properties.getCaCertificate();
		if (certificate == null || certificate.contains(PEM)) {
			return certificate;
		}
		try {
			return Files.readString(Path.of(certificate));
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new InvalidInformerPropertyException("informer.connection.ca-certificate",
					"'" + certificate + "' cannot be read",
					"Specify a file with certificates in PEM format, or its content.", ex);
		}
	}

	@Override
	public @Nullable String getToken() {
		return this.properties.getToken();
	}

	@Override
	public @Nullable File getTokenFile() {
		return this.properties.getTokenFile();
	}

	@Override
	public @Nullable String getNamespace() {
		return this.properties.getNamespace();
	}

	@Override
	public boolean isVerifyTls() {
		return !Boolean.FALSE.equals(this.properties.getVerifyTls());
	}

}
