/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import com.google.gson.Gson;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Digests of objects in their JSON form.
 */
final class Digest {

	private Digest() {
	}

	/**
	 * Return the digest of some objects. An object that is modified during the call gets
	 * a digest unlike that of its former state. All objects that Gson cannot write have
	 * the same digest.
	 */
	static byte[] of(KubernetesObject... objects) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			for (KubernetesObject object : objects) {
				digest.update(json(object).getBytes(StandardCharsets.UTF_8));
			}
			return digest.digest();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
		// adapters are code of the user
		catch (Throwable ex) {
			return new byte[0];
		}
	}

	private static String json(KubernetesObject object) {
		Gson gson = JSON.getGson();
		return (object instanceof DynamicKubernetesObject dynamic) ? dynamic.getRaw().toString() : gson.toJson(object);
	}

}
